/// A token of code, where a string is one token and comments are omitted.
struct Token: Sendable, Equatable {
    enum Kind: Sendable {
        /// An identifier, a keyword or a number.
        case word
        /// An identifier between backticks, which is never a keyword.
        case escapedWord
        /// One punctuation character.
        case symbol
        /// The content of a string or regex literal; interpolated code follows as separate tokens.
        case literal
    }

    let kind: Kind
    let text: String
    /// The line number, starting at 1.
    let line: Int
    /// The offset in bytes from the start of the file.
    let offset: Int
    /// The form of a string literal.
    var form: LiteralForm?

    func isWord(_ word: String) -> Bool { kind == .word && text == word }
    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
}

/// The form of a string literal, which its content is read by.
struct LiteralForm: Sendable, Equatable {
    /// The number of `#` before the quotation mark.
    let hashes: Int
    let isMultiline: Bool
    /// The offset of the first byte after the literal.
    let end: Int
}

extension [Token] {
    /// Returns whether the tokens from an index on are these words and symbols.
    func reads(_ texts: String..., at index: Int) -> Bool {
        index + texts.count <= count
            && texts.indices.allSatisfy { self[index + $0].text == texts[$0] && self[index + $0].kind != .literal }
    }

    /// Returns the tokens between a bracket and the one that closes it; none if there is no bracket.
    func contents(ofBracketAt index: Int) -> ArraySlice<Token> {
        guard indices.contains(index), ["(", "[", "{"].contains(where: self[index].isSymbol) else { return [] }
        var depth = 0
        for end in indices.dropFirst(index) where self[end].kind == .symbol {
            if "([{".contains(self[end].text) { depth += 1 }
            if ")]}".contains(self[end].text) { depth -= 1 }
            if depth == 0 { return self[index..<end].dropFirst() }
        }
        return []
    }
}
