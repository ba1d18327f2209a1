internal import PluginCore

/// A token of a predicate, with its place in the bytes of the text.
struct PredicateToken {
    enum Kind: Equatable {
        /// A keyword or key, such as `ANY`, `UTI-CONFORMS-TO` and `attachments`.
        case word
        /// A variable with its dollar sign.
        case variable
        case number
        /// A quoted text.
        case text
        /// A bracket, a dot, an operator, or `@count`.
        case symbol
        case end
    }

    let kind: Kind
    /// The token as it was written, or the content of a quoted text.
    let text: String
    let range: Range<Int>
}

/// The splitter of a predicate into tokens.
struct PredicateLexer {
    private static let symbols = [
        "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", ",", ".",
    ].map { Array($0.utf8) }

    let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func next() throws(PredicateProblem) -> PredicateToken {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        guard position < bytes.count else { return PredicateToken(kind: .end, text: "", range: position..<position) }
        let start = position
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try quoted()
        case UInt8(ascii: "$"):
            position += 1
            return token(.variable, from: start, through: isWordByte)
        case UInt8(ascii: "@"):
            position += 1
            return token(.symbol, from: start, through: isWordByte)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return token(.number, from: start, through: isWordByte)
        case let byte where Self.isLetter(byte): return token(.word, from: start, through: isWordByte)
        default: break
        }
        guard let symbol = Self.symbols.first(where: { bytes[start...].starts(with: $0) }) else {
            let scalar = String(decoding: bytes[start...].prefix(4), as: UTF8.self).unicodeScalars.first
            throw problem(
                ErrorReason("characterUnexpected", ["character": .text(scalar.map { String($0) } ?? "")]), at: start)
        }
        position += symbol.count
        return PredicateToken(
            kind: .symbol, text: String(decoding: symbol, as: UTF8.self), range: start..<position)
    }

    func problem(_ problem: ErrorReason, at offset: Int) -> PredicateProblem {
        PredicateProblem(problem, at: offset, in: bytes)
    }

    private mutating func token(
        _ kind: PredicateToken.Kind, from start: Int, through isPart: (Int) -> Bool
    ) -> PredicateToken {
        while position < bytes.count, isPart(position) { position += 1 }
        return PredicateToken(
            kind: kind, text: String(decoding: bytes[start..<position], as: UTF8.self), range: start..<position)
    }

    private mutating func quoted() throws(PredicateProblem) -> PredicateToken {
        let start = position
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            var byte = bytes[position]
            position += 1
            if byte == bytes[start] {
                return PredicateToken(
                    kind: .text, text: String(decoding: content, as: UTF8.self), range: start..<position)
            }
            if byte == UInt8(ascii: "\\") {
                guard position < bytes.count, "\\\"'".utf8.contains(bytes[position]) else {
                    throw problem(ErrorReason("escapeUnknown"), at: position - 1)
                }
                byte = bytes[position]
                position += 1
            }
            content.append(byte)
        }
        throw problem(ErrorReason("quotationOpen"), at: start)
    }

    /// Returns whether a byte continues a word. A hyphen does before a letter, as in `UTI-EQUALS`.
    private func isWordByte(_ index: Int) -> Bool {
        let byte = bytes[index]
        if byte == UInt8(ascii: "-") { return index + 1 < bytes.count && Self.isLetter(bytes[index + 1]) }
        return Self.isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
    }
}
