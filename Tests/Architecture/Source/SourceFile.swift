/// A file of code, cut into tokens.
struct SourceFile: Sendable {
    /// From the repository's root.
    let path: String
    let tokens: [Token]
    let imports: [Import]
    private let comments: [Int: String]

    init(path: String, text: String) {
        let isSwift = path.hasSuffix(".swift")
        let lexer = Lexer(text, language: isSwift ? .swift : .c)
        self.path = path
        tokens = lexer.tokens
        comments = lexer.comments
        imports = isSwift ? Import.all(in: lexer.tokens) : []
    }

    var isSwift: Bool { path.hasSuffix(".swift") }

    /// What comments on a line and on the line before say.
    func comments(beside line: Int) -> String {
        (comments[line - 1] ?? "") + (comments[line] ?? "")
    }

    /// The word, wherever code says it.
    func uses(of words: Set<String>) -> [Token] {
        tokens.filter { ($0.kind == .word || $0.kind == .escapedWord) && words.contains($0.text) }
    }
}
