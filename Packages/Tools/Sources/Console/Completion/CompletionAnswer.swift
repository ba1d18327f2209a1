/// The answer of a program to the script with which a shell completes its command lines.
///
/// The arguments of the program are `__complete`, the name of the shell, and the command line. They are no command, because they can
/// change with any release. An answer is never an error: a shell has no place to show one.
public struct CompletionAnswer: Sendable {
    /// A shell for which there is a script.
    public enum Shell: String, Sendable, CaseIterable {
        case bash, zsh, fish
    }

    static let word = "__complete"

    private let shell: Shell
    private let words: [String]

    /// Reads the arguments of a program; `nil` for any that are no question of a script.
    public init?(_ arguments: [String]) {
        guard arguments.first == Self.word else { return nil }
        guard arguments.count >= 3, let shell = Shell(rawValue: arguments[1]) else { return nil }
        self.shell = shell
        words = Array(arguments.dropFirst(2))
    }

    /// Returns the text that the script reads.
    ///
    /// The first line says which paths the shell adds, the second is the path so far, and each other line is a candidate.
    public func text(_ completion: CommandCompletion) -> String {
        switch shell {
        case .bash: bash(completion)
        case .zsh: zsh(completion)
        case .fish: fish(completion)
        }
    }

    private func bash(_ completion: CommandCompletion) -> String {
        let line = ShellLine(words[0], separators: words.count > 1 ? words[1] : "")
        let answer = completion.complete(Array(line.words.dropFirst()), line.current)
        let path = String(line.current.dropFirst(answer.optionPart.count))
        // The shell completes a path as a whole, and replaces only the end of it.
        let drop = max(0, line.kept - answer.optionPart.count)
        var head = [pathWords(answer), "drop=\(drop)"]
        if answer.candidates.contains(where: \.isPart) { head.append("nospace") }
        let lines = answer.candidates.map { line.insertion(of: $0.text) }
        return Self.lines([head.joined(separator: " "), path] + lines)
    }

    private func zsh(_ completion: CommandCompletion) -> String {
        let answer = completion.complete(Array(words.dropLast()), words.last ?? "")
        let lines = answer.candidates.map { candidate in
            // The text ends at the first colon without a backslash.
            let text = candidate.text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            return (candidate.isPart ? "+" : ".") + text + (candidate.help.isEmpty ? "" : ":" + candidate.help)
        }
        return Self.lines([pathWords(answer), answer.optionPart] + lines)
    }

    private func fish(_ completion: CommandCompletion) -> String {
        let current = ShellLine("x " + (words.last ?? "")).current
        let answer = completion.complete(Array(words.dropLast()), current)
        let path = String(current.dropFirst(answer.optionPart.count))
        let lines = answer.candidates.map { $0.help.isEmpty ? $0.text : "\($0.text)\t\($0.help)" }
        return Self.lines([pathWords(answer), answer.optionPart, path] + lines)
    }

    private func pathWords(_ answer: Completion) -> String {
        switch answer.paths {
        case nil: "none"
        case .folders: "folders"
        case .files(let ending): ending.isEmpty ? "files" : "files *\(ending)"
        }
    }

    /// Joins lines; a candidate with a line break or another control character is left out, because no shell could show it.
    private static func lines(_ lines: [String]) -> String {
        lines.filter { line in !line.unicodeScalars.contains { $0.value < 32 && $0 != "\t" } }
            .map { $0 + "\n" }.joined()
    }
}
