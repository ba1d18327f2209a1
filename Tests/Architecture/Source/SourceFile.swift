/// A source file as a list of tokens.
struct SourceFile: CheckedFile, Sendable {
    /// The path from the repository's root.
    let path: String
    let tokens: [Token]
    let imports: [Import]
    let types: [TypeDeclaration]
    private let comments: [Int: String]

    init(path: String, text: String) {
        let isSwift = path.hasSuffix(".swift")
        let lexer = Lexer(text, language: isSwift ? .swift : .c)
        self.path = path
        tokens = lexer.tokens
        comments = lexer.comments
        types = isSwift ? TypeDeclaration.all(in: lexer.tokens) : []
        imports = isSwift ? Import.all(in: lexer.tokens) : []
    }

    var isSwift: Bool { path.hasSuffix(".swift") }

    /// Returns the texts of comments on a line and on the previous line.
    func comments(beside line: Int) -> String {
        (comments[line - 1] ?? "") + (comments[line] ?? "")
    }

    /// Returns the tokens in code that are equal to one of the words.
    func uses(of words: Set<String>) -> [Token] {
        tokens.filter { ($0.kind == .word || $0.kind == .escapedWord) && words.contains($0.text) }
    }
}
