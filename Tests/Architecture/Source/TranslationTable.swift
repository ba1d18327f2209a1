/// The entries of a table in the form of `Localizable.strings`, which a source file contains as a literal.
struct TranslationTable: Sendable {
    struct Entry: Sendable {
        let key: String
        let translation: String
        let line: Int
    }

    let path: String
    let entries: [Entry]

    /// Reads the literals of a file of tables.
    init(_ source: SourceFile) {
        path = source.path
        entries = source.tokens.filter { $0.kind == .literal }.flatMap { token in
            token.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
                offset, line in
                guard let match = line.wholeMatch(of: /\s*"((?:[^"\\]|\\.)*)" = "((?:[^"\\]|\\.)*)";/) else {
                    return nil
                }
                return Entry(
                    key: Self.unescaped(match.1), translation: Self.unescaped(match.2), line: token.line + offset)
            }
        }
    }

    /// Returns a line of a table for a text that has no translation yet.
    static func line(for key: String) -> String {
        let escaped = key.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"\(escaped)\" = \"\";"
    }

    private static func unescaped(_ text: Substring) -> String {
        var (result, rest) = ("", text)
        while let next = rest.popFirst() {
            guard next == "\\", let escaped = rest.popFirst() else {
                result.append(next)
                continue
            }
            result.append(escaped == "n" ? "\n" : escaped)
        }
        return result
    }
}
