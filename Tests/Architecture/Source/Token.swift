/// A piece of code: comments are not among them, and what a string says is one token that no word is read from.
struct Token: Sendable, Equatable {
    enum Kind: Sendable {
        /// An identifier, a keyword or a number.
        case word
        /// An identifier between backticks, which is never a keyword.
        case escapedWord
        /// One punctuation character.
        case symbol
        /// The content of a string or regex literal; code inside `\( )` follows as tokens of its own.
        case literal
    }

    let kind: Kind
    let text: String
    /// From 1.
    let line: Int
    /// In bytes, from the start of the file.
    let offset: Int

    func isWord(_ word: String) -> Bool { kind == .word && text == word }
    func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

    /// Returns whether there is nothing between the two, as between `try` and `!` in `try!`.
    func touches(_ next: Token) -> Bool { offset + text.utf8.count == next.offset }
}
