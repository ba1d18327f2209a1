/// One import of a module, whatever its form.
struct Import: Sendable, Equatable {
    let module: String
    let line: Int

    private static let kinds: Set = ["typealias", "struct", "class", "enum", "protocol", "let", "var", "func"]

    /// Reads every `import`: with attributes, an access level, the kind of a declaration or a submodule, behind `#if`,
    /// after `;`.
    static func all(in tokens: [Token]) -> [Import] {
        tokens.indices.compactMap { index in
            guard let name = nameIndex(at: index, in: tokens) else { return nil }
            return Import(module: tokens[name].text, line: tokens[index].line)
        }
    }

    /// Where the import that starts at a token names its module; nil when none starts there.
    static func nameIndex(at index: Int, in tokens: [Token]) -> Int? {
        guard tokens[index].isWord("import") else { return nil }
        // `import` as an argument's label, or as a member.
        if index > 0, ["(", ",", "."].contains(where: tokens[index - 1].isSymbol) { return nil }
        var name = index + 1
        if name < tokens.count, tokens[name].kind == .word, kinds.contains(tokens[name].text) { name += 1 }
        guard name < tokens.count, tokens[name].kind == .word || tokens[name].kind == .escapedWord else { return nil }
        return name
    }
}
