/// The declaration of a type at any nesting level.
struct TypeDeclaration: Sendable, Equatable {
    let keyword: String
    let name: String
    let line: Int
    /// The line of an enum's first case; `nil` for an enum without cases, which cannot have values.
    let firstCase: Int?
    /// A Boolean value that indicates whether the declaration itself names `Codable`.
    let isCodable: Bool

    private static let keywords: Set = ["struct", "class", "actor", "protocol", "enum"]

    static func all(in tokens: [Token]) -> [TypeDeclaration] {
        tokens.indices.compactMap { index in
            let token = tokens[index]
            guard token.kind == .word, keywords.contains(token.text), index + 1 < tokens.count else { return nil }
            let name = tokens[index + 1]
            guard name.kind == .escapedWord || (name.kind == .word && !["in", "is", "as"].contains(name.text)) else {
                return nil
            }
            if index > 0 {
                let last = tokens[index - 1]
                // This is a member or a label with that name, or `import struct Module.Name`.
                if [".", "(", ","].contains(where: last.isSymbol) || last.isWord("import") { return nil }
            }
            return TypeDeclaration(
                keyword: token.text, name: name.text, line: token.line,
                firstCase: token.text == "enum" ? firstCase(after: index, in: tokens) : nil,
                isCodable: tokens[index...].prefix { !$0.isSymbol("{") }.contains { $0.isWord("Codable") })
        }
    }

    /// Returns the line of the first `case` directly inside the following braces.
    private static func firstCase(after index: Int, in tokens: [Token]) -> Int? {
        var depth = 0
        for token in tokens[index...] {
            if token.isSymbol("{") {
                depth += 1
            } else if token.isSymbol("}") {
                depth -= 1
                if depth == 0 { return nil }
            } else if depth == 1, token.isWord("case") {
                return token.line
            }
        }
        return nil
    }
}
