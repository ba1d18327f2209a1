/// A lexer that distinguishes code, comments and strings in Swift and C as far as the rules need it.
///
/// It supports nested block comments, raw and multiline strings, interpolated code, and regex literals.
struct Lexer {
    enum Language: Sendable { case swift, c }

    private(set) var tokens: [Token] = []
    /// The texts of comments by line.
    private(set) var comments: [Int: String] = [:]

    private let bytes: [UInt8]
    private let language: Language
    private var index = 0
    private var line = 1

    init(_ text: String, language: Language) {
        bytes = Array(text.utf8)
        self.language = language
        readCode(untilParenthesis: false)
    }

    private func peek(_ distance: Int = 0) -> UInt8 {
        index + distance < bytes.count ? bytes[index + distance] : 0
    }

    private mutating func skip(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    private func text(_ start: Int, _ end: Int) -> String {
        String(decoding: bytes[min(start, bytes.count)..<min(end, bytes.count)], as: UTF8.self)
    }

    private mutating func readCode(untilParenthesis: Bool) {
        var depth = 0
        while index < bytes.count {
            let byte = peek()
            switch byte {
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): readLineComment()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): readBlockComment()
            case UInt8(ascii: "/") where startsRegex: readRegex(hashes: 0)
            case UInt8(ascii: "\""): readString(hashes: 0)
            case UInt8(ascii: "'") where language == .c: readCharacter()
            case UInt8(ascii: "`"): readEscapedWord()
            case UInt8(ascii: "#") where language == .swift:
                let hashes = countHashes()
                switch peek(hashes) {
                case UInt8(ascii: "\""): readString(hashes: hashes)
                case UInt8(ascii: "/"): readRegex(hashes: hashes)
                default: readSymbol()
                }
            case _ where isWordByte(byte): readWord()
            case _ where byte <= UInt8(ascii: " "): skip()
            default:
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") {
                    if untilParenthesis && depth == 0 { return skip() }
                    depth -= 1
                }
                readSymbol()
            }
        }
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }

    private func countHashes() -> Int {
        var count = 0
        while peek(count) == UInt8(ascii: "#") { count += 1 }
        return count
    }

    private func hasHashes(_ count: Int, at distance: Int) -> Bool {
        (0..<count).allSatisfy { peek(distance + $0) == UInt8(ascii: "#") }
    }
}

// MARK: Words and symbols

extension Lexer {
    private mutating func readWord() {
        let start = index
        while isWordByte(peek()) { index += 1 }
        tokens.append(Token(kind: .word, text: text(start, index), line: line, offset: start))
    }

    private mutating func readEscapedWord() {
        let start = index
        skip()
        while index < bytes.count, peek() != UInt8(ascii: "`"), peek() != UInt8(ascii: "\n") { index += 1 }
        tokens.append(Token(kind: .escapedWord, text: text(start + 1, index), line: line, offset: start))
        skip()
    }

    private mutating func readSymbol() {
        tokens.append(Token(kind: .symbol, text: text(index, index + 1), line: line, offset: index))
        skip()
    }
}

// MARK: Comments

extension Lexer {
    private mutating func readLineComment() {
        let start = index
        while index < bytes.count, peek() != UInt8(ascii: "\n") { index += 1 }
        comments[line, default: ""] += text(start, index)
    }

    private mutating func readBlockComment() {
        var depth = 0
        repeat {
            if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*"), depth == 0 || language == .swift {
                depth += 1
                index += 2
            } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                index += 2
            } else {
                let start = index
                while index < bytes.count, peek() != UInt8(ascii: "\n"), peek() != UInt8(ascii: "*"),
                    peek() != UInt8(ascii: "/")
                {
                    index += 1
                }
                comments[line, default: ""] += text(start, index)
                if index == start || peek() == UInt8(ascii: "\n") { skip() }
            }
        } while depth > 0 && index < bytes.count
    }
}

// MARK: Literals

extension Lexer {
    private mutating func readString(hashes: Int) {
        let (start, firstLine) = (index, line)
        skip(hashes)
        let quotes = language == .swift && peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"") ? 3 : 1
        skip(quotes)
        let contents = index
        // The token of the string precedes those of the code inside it.
        let place = tokens.count
        var end = index
        scan: while index < bytes.count {
            end = index
            switch peek() {
            case UInt8(ascii: "\"")
            where (0..<quotes).allSatisfy({ peek($0) == UInt8(ascii: "\"") })
                && hasHashes(hashes, at: quotes):
                skip(quotes + hashes)
                break scan
            case UInt8(ascii: "\\") where hasHashes(hashes, at: 1):
                let isCode = language == .swift && peek(1 + hashes) == UInt8(ascii: "(")
                skip(2 + hashes)
                if isCode { readCode(untilParenthesis: true) }
            case UInt8(ascii: "\n") where quotes == 1: break scan
            default: skip()
            }
        }
        let form = LiteralForm(hashes: hashes, isMultiline: quotes == 3, end: index)
        tokens.insert(
            Token(kind: .literal, text: text(contents, end), line: firstLine, offset: start, form: form), at: place)
    }

    private mutating func readCharacter() {
        skip()
        while index < bytes.count, peek() != UInt8(ascii: "'"), peek() != UInt8(ascii: "\n") {
            skip(peek() == UInt8(ascii: "\\") ? 2 : 1)
        }
        skip()
    }

    /// A Boolean value that indicates whether the slash at the current position starts a regex literal.
    ///
    /// This is the case if no operand precedes it and the line contains a closing slash.
    private var startsRegex: Bool {
        guard language == .swift, peek(1) > UInt8(ascii: " "), peek(1) != UInt8(ascii: ")") else { return false }
        if let last = tokens.last {
            switch last.kind {
            case .literal, .escapedWord: return false
            case .word:
                guard ["return", "in", "case", "where", "try", "await", "else"].contains(last.text) else {
                    return false
                }
            case .symbol: guard "=([,:{;!&|?".contains(last.text) else { return false }
            }
        }
        var distance = 1
        while index + distance < bytes.count, peek(distance) != UInt8(ascii: "\n") {
            if peek(distance) == UInt8(ascii: "/") { return true }
            distance += peek(distance) == UInt8(ascii: "\\") ? 2 : 1
        }
        return false
    }

    private mutating func readRegex(hashes: Int) {
        let (start, firstLine) = (index, line)
        skip(hashes + 1)
        while index < bytes.count, !(peek() == UInt8(ascii: "/") && hasHashes(hashes, at: 1)) {
            skip(peek() == UInt8(ascii: "\\") ? 2 : 1)
        }
        tokens.append(
            Token(kind: .literal, text: text(start + hashes + 1, index), line: firstLine, offset: start))
        skip(1 + hashes)
    }
}
