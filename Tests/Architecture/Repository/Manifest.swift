/// The text of a package manifest.
struct Manifest: CheckedFile, Sendable {
    /// The path from the repository's root.
    let path: String
    let text: String
    private let tokens: [Token]

    init(path: String, text: String) {
        (self.path, self.text) = (path, text)
        tokens = Lexer(text, language: .swift).tokens
    }

    /// The first line, which declares the tools version.
    var toolsLine: String {
        String(text.prefix { $0 != "\n" })
    }

    /// Returns the line of the first literal that contains a name.
    func line(of name: String) -> Int {
        tokens.first { $0.kind == .literal && $0.text.contains(name) }?.line ?? 1
    }
}
