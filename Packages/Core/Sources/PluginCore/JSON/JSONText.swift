/// A cursor over the bytes of a JSON text, as RFC 8259 defines it.
struct JSONText {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips whitespace and consumes the next byte, or returns nil at the end.
    mutating func nextMark() -> UInt8? {
        skipSpace()
        guard let mark = next else { return nil }
        position += 1
        return mark
    }

    /// Skips whitespace and consumes the next byte if it is the given one.
    mutating func takes(_ mark: Unicode.Scalar) -> Bool {
        skipSpace()
        guard next == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Consumes the rest of a keyword.
    mutating func word(_ rest: StaticString) throws(JSONFlaw) {
        for offset in 0..<rest.utf8CodeUnitCount {
            guard next == rest.utf8Start[offset] else {
                throw unexpected("true, false or null", at: position - offset - 1)
            }
            position += 1
        }
    }

    /// Consumes a number that begins at a position.
    mutating func number(from start: Int) throws(JSONFlaw) {
        position = start
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
        if next == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        guard next == UInt8(ascii: "e") || next == UInt8(ascii: "E") else { return }
        position += 1
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
        try digits()
    }

    private mutating func digits() throws(JSONFlaw) {
        let start = position
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        guard position > start else { throw unexpected("a digit", at: position) }
    }

    /// Consumes a string up to its closing quotation mark. The result is empty unless the text is to be kept.
    mutating func string(isKept: Bool) throws(JSONFlaw) -> String {
        let start = position - 1
        var kept = String.UnicodeScalarView()
        var marks = 0
        while let byte = next {
            position += 1
            let scalar: Unicode.Scalar
            switch byte {
            case UInt8(ascii: "\""): return String(kept)
            case UInt8(ascii: "\\"): scalar = try escaped()
            case ..<0x20:
                position -= 1
                throw flaw(
                    .syntax,
                    "a string must end on its line; a quotation mark is missing, or a line break is not written as \\n")
            case ..<0x80: scalar = Unicode.Scalar(byte)
            default: scalar = try wide(from: byte)
            }
            marks = scalar.isASCII || scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            guard marks <= StrictJSON.markLimit else {
                throw flaw(.stackedMarks, "more than \(StrictJSON.markLimit) combining marks follow one letter")
            }
            if isKept { kept.append(scalar) }
        }
        throw JSONFlaw(rule: .syntax, finding: "the closing quotation mark of this string is missing", offset: start)
    }

    /// Consumes the rest of a scalar of several bytes. The caller has already checked that the text is valid UTF-8.
    private mutating func wide(from first: UInt8) throws(JSONFlaw) -> Unicode.Scalar {
        let count = first.leadingZeroBitCount == 0 ? (~first).leadingZeroBitCount - 1 : 0
        var value = UInt32(first) & (0x3F >> UInt32(count))
        for _ in 0..<count {
            guard let byte = next else { throw flaw(.syntax, "this is not UTF-8") }
            position += 1
            value = value << 6 | UInt32(byte & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value) else { throw flaw(.syntax, "this is not UTF-8") }
        return scalar
    }

    private mutating func escaped() throws(JSONFlaw) -> Unicode.Scalar {
        let start = position - 1
        guard let mark = next else { throw unexpected("an escape", at: position) }
        position += 1
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(mark)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default:
            throw JSONFlaw(
                rule: .syntax, finding: "\(shown(at: start, count: 2)) is not an escape; write a backslash as \\\\",
                offset: start)
        }
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let half = JSONFlaw(rule: .halfCharacter, finding: "this is an unpaired surrogate escape", offset: start)
        guard unit < 0xDC00, next == UInt8(ascii: "\\") else { throw half }
        position += 1
        guard next == UInt8(ascii: "u") else { throw half }
        position += 1
        let low = try hexadecimal()
        guard 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw half }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONFlaw) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected("a hexadecimal digit", at: position)
            }
            position += 1
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

// Errors with their positions.
extension JSONText {
    /// Returns an error at the current position.
    func flaw(_ rule: JSONError.Rule, _ finding: String) -> JSONFlaw {
        JSONFlaw(rule: rule, finding: finding, offset: position)
    }

    /// Returns the error for an unexpected token.
    func unexpected(_ expected: String, at offset: Int) -> JSONFlaw {
        JSONFlaw(rule: .syntax, finding: "expected \(expected), found \(shown(at: offset))", offset: offset)
    }

    /// Returns the error for a comma after the last element or member.
    func trailingComma(_ bracket: String, at offset: Int) -> JSONFlaw {
        JSONFlaw(rule: .syntax, finding: "no comma is allowed before \"\(bracket)\"", offset: offset)
    }

    /// Returns the characters at an offset in quotation marks.
    private func shown(at offset: Int, count: Int = 1) -> String {
        guard offset < bytes.count else { return "the end of the file" }
        let text = String(decoding: bytes[offset...].prefix(4 * count), as: UTF8.self)
        switch text.unicodeScalars.first {
        case "\u{FEFF}": return "a byte order mark"
        case "\"": return "a quotation mark"
        default:
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text.unicodeScalars.prefix(count))
            return "\"\(String(scalars))\""
        }
    }

    /// Returns the offset of the first byte that is not valid UTF-8, or nil if all bytes are valid.
    static func invalidOffset(in bytes: [UInt8]) -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var (parser, rest) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator())
        var offset = 0
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
        return offset
    }
}
