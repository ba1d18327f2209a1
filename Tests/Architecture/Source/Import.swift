/// An import of a module in any form.
struct Import: Sendable, Equatable {
    let module: String
    let line: Int

    private static let kinds: Set = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func"]

    /// Reads all imports.
    ///
    /// An import may have attributes, an access level, the kind of a declaration or a submodule, and may follow `#if` or `;`.
    static func all(in tokens: [Token]) -> [Import] {
        tokens.indices.compactMap { index in
            guard let name = nameIndex(at: index, in: tokens) else { return nil }
            return Import(module: tokens[name].text, line: tokens[index].line)
        }
    }

    /// Returns the index of the module name of the import that starts at a token; `nil` if none starts there.
    static func nameIndex(at index: Int, in tokens: [Token]) -> Int? {
        guard tokens[index].isWord("import") else { return nil }
        // Here, `import` is the label of an argument or a member.
        if index > 0, ["(", ",", "."].contains(where: tokens[index - 1].isSymbol) { return nil }
        var name = index + 1
        if name < tokens.count, tokens[name].kind == .word, kinds.contains(tokens[name].text) { name += 1 }
        guard name < tokens.count, tokens[name].kind == .word || tokens[name].kind == .escapedWord else { return nil }
        return name
    }
}
