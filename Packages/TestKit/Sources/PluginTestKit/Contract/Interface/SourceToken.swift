/// A token of Swift source code.
struct SourceToken: Equatable {
    enum Kind: Equatable {
        /// A name or a keyword.
        case word(String)
        /// A string literal, split at its interpolations.
        case text([String])
        /// Any other character.
        case symbol(Character)
    }

    let kind: Kind
    let line: Int

    var word: String? { if case .word(let word) = kind { word } else { nil } }
    /// The text of a string literal without interpolations.
    var literal: String? { if case .text(let pieces) = kind, pieces.count == 1 { pieces[0] } else { nil } }

    func isSymbol(_ symbol: Character) -> Bool { kind == .symbol(symbol) }
}

extension SourceToken {
    /// Splits Swift source code into tokens, without comments and whitespace.
    static func all(in source: String) -> [SourceToken] {
        var reader = SourceReader(source)
        return reader.read()
    }
}

/// A tokenizer for Swift source code.
private struct SourceReader {
    private let characters: [Character]
    private var index = 0
    private var line = 1
    private var tokens: [SourceToken] = []

    init(_ source: String) {
        characters = Array(source)
    }

    mutating func read() -> [SourceToken] {
        while let next = peek() {
            if next == "/", peek(1) == "/" {
                while let character = peek(), !character.isNewline { skip(character) }
            } else if next == "/", peek(1) == "*" {
                skipBlockComment()
            } else if next == "\"" || next == "#" && isRawText {
                readText()
            } else if next == "_" || next == "`" || next.isLetter || next.isNumber {
                readWord()
            } else {
                if !next.isWhitespace { add(.symbol(next)) }
                skip(next)
            }
        }
        return tokens
    }

    private func peek(_ distance: Int = 0) -> Character? {
        index + distance < characters.count ? characters[index + distance] : nil
    }

    private mutating func skip(_ character: Character) {
        if character.isNewline { line += 1 }
        index += 1
    }

    private mutating func skip(count: Int) {
        for _ in 0..<count { if let next = peek() { skip(next) } }
    }

    private mutating func add(_ kind: SourceToken.Kind) {
        tokens.append(SourceToken(kind: kind, line: line))
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if peek() == "/", peek(1) == "*" {
                depth += 1
                skip(count: 2)
            } else if peek() == "*", peek(1) == "/" {
                depth -= 1
                skip(count: 2)
            } else {
                skip(count: 1)
            }
        } while depth > 0 && peek() != nil
    }

    private mutating func readWord() {
        var word = ""
        while let next = peek(), next == "_" || next == "`" || next.isLetter || next.isNumber {
            if next != "`" { word.append(next) }
            skip(next)
        }
        add(.word(word))
    }

    private var isRawText: Bool {
        characters[index...].first { $0 != "#" } == "\""
    }

    private mutating func readText() {
        let start = line
        var hashes = 0
        while peek() == "#" {
            hashes += 1
            skip(count: 1)
        }
        let quotes = peek(1) == "\"" && peek(2) == "\"" ? 3 : 1
        skip(count: quotes)
        var pieces = [""]
        while let next = peek(), !ends(quotes: quotes, hashes: hashes) {
            guard next == "\\", (0..<hashes).allSatisfy({ peek(1 + $0) == "#" }) else {
                pieces[pieces.count - 1].append(next)
                skip(next)
                continue
            }
            skip(count: 1 + hashes)
            if peek() == "(" {
                skipInterpolation()
                pieces.append("")
            } else if let escaped = peek() {
                pieces[pieces.count - 1].append(["n": "\n", "t": "\t", "0": "\0"][escaped] ?? escaped)
                skip(escaped)
            }
        }
        skip(count: quotes + hashes)
        tokens.append(SourceToken(kind: .text(pieces), line: start))
    }

    private func ends(quotes: Int, hashes: Int) -> Bool {
        (0..<quotes).allSatisfy { peek($0) == "\"" } && (0..<hashes).allSatisfy { peek(quotes + $0) == "#" }
    }

    private mutating func skipInterpolation() {
        var depth = 0
        repeat {
            if peek() == "(" { depth += 1 }
            if peek() == ")" { depth -= 1 }
            skip(count: 1)
        } while depth > 0 && peek() != nil
    }
}
