/// The text of a package manifest.
struct Manifest: CheckedFile, Sendable {
    static let settingsTitle = "// Common settings"
    static let componentsTitle = "// Binary components"

    /// The path from the repository's root.
    let path: String
    let text: String
    private let tokens: [Token]

    init(path: String, text: String) {
        self.path = path
        self.text = text
        tokens = Lexer(text, language: .swift).tokens
    }

    /// The first line, which declares the tools version.
    var toolsLine: String {
        String(text.prefix { $0 != "\n" })
    }

    /// The text from the line with the title of the settings to the end of the file.
    var settings: String? {
        guard let start = text.firstRange(of: "\n" + Self.settingsTitle) else { return nil }
        return String(text[start.lowerBound...].dropFirst())
    }

    /// The text that replaces dependencies by binaries, up to the settings; nil if there is none.
    var components: String? {
        guard let start = text.firstRange(of: "\n" + Self.componentsTitle),
            let end = text[start.upperBound...].firstRange(of: "\n" + Self.settingsTitle)
        else { return nil }
        return String(text[start.lowerBound..<end.lowerBound])
    }

    /// The line at which the settings start.
    var settingsLine: Int {
        guard let start = text.firstRange(of: "\n" + Self.settingsTitle) else { return 1 }
        return text[...start.lowerBound].count { $0 == "\n" } + 1
    }

    /// Returns the line at which a library is declared.
    func line(ofLibrary name: String) -> Int {
        declaration(of: name, by: ["library"]).map { tokens[$0].line } ?? 1
    }

    /// Returns the line at which a target is declared.
    func line(ofTarget name: String) -> Int {
        declaration(of: name, by: Self.targetKinds).map { tokens[$0].line } ?? 1
    }

    /// Returns the line at which a target names a dependency.
    func line(ofDependency dependency: String, inTarget target: String) -> Int {
        guard let start = declaration(of: target, by: Self.targetKinds) else { return 1 }
        let name = tokens[(start + 1)...].first { $0.kind == .literal && $0.text == dependency }
        return name?.line ?? tokens[start].line
    }

    private static let targetKinds: Set = [
        "target", "executableTarget", "testTarget", "systemLibrary", "binaryTarget", "plugin", "macro",
    ]

    /// Returns the token of the name in a declaration of the given kinds.
    private func declaration(of name: String, by kinds: Set<String>) -> Int? {
        tokens.indices.first { index in
            guard index >= 4, tokens[index].kind == .literal, tokens[index].text == name else { return false }
            // The root declares the tests of packages with a function of its own.
            if tokens[index - 1].isSymbol("("), tokens[index - 2].isWord("tests") { return true }
            return tokens[index - 1].isSymbol(":") && tokens[index - 2].isWord("name")
                && tokens[index - 3].isSymbol("(") && kinds.contains(tokens[index - 4].text)
        }
    }

    /// Returns the line at which the path to a local package is written.
    func line(ofPathTo folder: String, from own: String) -> Int {
        tokens.first { $0.kind == .literal && RelativePath.join(own, $0.text) == folder }?.line ?? 1
    }

    /// Returns the line at which a package is named by its address or its name in a registry.
    func line(ofRemote name: String) -> Int {
        let place = tokens.indices.first { index in
            index >= 2 && tokens[index].kind == .literal && tokens[index - 1].isSymbol(":")
                && ["url", "id"].contains(tokens[index - 2].text)
                && tokens[index].text.lowercased().contains(name.lowercased())
        }
        return place.map { tokens[$0].line } ?? 1
    }
}
