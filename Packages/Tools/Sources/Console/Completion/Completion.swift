/// The ways in which an incomplete command line can continue.
public struct Completion: Sendable, Equatable {
    /// A word that can stand at the end of the line.
    public struct Candidate: Sendable, Equatable {
        /// The whole word.
        public let text: String
        /// A sentence about the word, which may be empty.
        public let help: String
        /// A Boolean value that indicates whether the word is only the beginning of what the user types.
        public let isPart: Bool

        /// Creates a candidate.
        public init(_ text: String, help: String = "", isPart: Bool = false) {
            self.text = text
            self.help = help
            self.isPart = isPart
        }
    }

    /// The words, all of which begin with the typed one.
    public internal(set) var candidates: [Candidate] = []
    /// The kind of paths that can stand there, too, which the shell itself completes; `nil` for none.
    public internal(set) var paths: Command.ValueKind?
    /// The beginning of the typed word that is no part of a path, such as `--sandbox=`.
    public internal(set) var optionPart = ""
}

/// The part of a command line before the word that is completed.
public struct CompletionContext: Sendable {
    /// The beginning of the word or value that is completed.
    public internal(set) var prefix: String
    let reading: CommandLineReading

    /// The names of the commands below the root.
    public var path: [String] { reading.trail.dropFirst().map(\.name) }
    /// The arguments before it.
    public var arguments: [String] { reading.positionals }

    /// Returns the last value of an option before it.
    public func value(_ option: String) -> String? { reading.given[option]?.last }

    /// Returns whether a flag stands before it.
    public func flag(_ name: String) -> Bool { reading.given[name] != nil }
}

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
        guard arguments.count >= 3, arguments[0] == Self.word, let shell = Shell(rawValue: arguments[1]) else {
            return nil
        }
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

    /// Names are quoted here, because Bash quotes only file names. If both can follow, the script quotes all.
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
        case .file(let ending): ending.isEmpty ? "files" : "files *\(ending)"
        case .folder: "folders"
        default: "none"
        }
    }

    /// Joins lines; a candidate with a line break or another control character is left out, because no shell could show it.
    private static func lines(_ lines: [String]) -> String {
        lines.filter { line in !line.unicodeScalars.contains { $0.value < 32 && $0 != "\t" } }
            .map { $0 + "\n" }.joined()
    }
}

/// The command `completion`, which prints the script for a shell.
public enum CompletionCommand {
    /// The declaration of the command.
    public static let declaration = Command(
        "completion", arguments: [.required("SHELL", kind: .words(CompletionAnswer.Shell.allCases.map(\.rawValue)))])

    /// Returns the answer with the script that a parsed command asks for.
    ///
    /// - Parameter program: the name with which users start the program.
    /// - Throws: ``UsageError`` for another shell; ``AtriumError`` if the program's file with the script cannot be read.
    public static func answer(_ parsed: ParsedCommand, for program: String) throws -> Answer {
        let shell: CompletionAnswer.Shell = try parsed.choice("<SHELL>", parsed.argument("SHELL") ?? "")
        let (_, bytes) = try NamedFile.shared("completion.\(shell.rawValue)", limit: 1 << 16)
        let function = String(program.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        let script = String(decoding: bytes, as: UTF8.self).replacing("@FUNCTION@", with: function)
            .replacing("@PROGRAM@", with: program).replacing("@WORD@", with: CompletionAnswer.word)
        return Answer(text: script, json: ["script": script])
    }
}

/// An incomplete command line as it stands in a POSIX shell, up to the cursor.
///
/// Quotation marks and backslashes are read as the shell would read them. Variables and patterns are not expanded, because only the
/// shell can do that.
struct ShellLine: Equatable {
    /// The complete words without quotation marks, starting with the program.
    private(set) var words: [String] = []
    /// The word at the cursor without quotation marks.
    private(set) var current = ""
    /// The quotation mark that is still open at the cursor.
    private(set) var openQuote: Character?
    /// The number of characters of the current word that the shell does not replace.
    ///
    /// Bash replaces only what follows the last separator that is not quoted, or the open quotation mark.
    private(set) var kept = 0

    /// Reads a line.
    ///
    /// - Parameter separators: the characters that separate pieces of a word, those of `COMP_WORDBREAKS` in Bash.
    init(_ line: String, separators: String = "") {
        var isInWord = false
        var isEscaped = false
        for character in line {
            if isEscaped {
                // Inside double quotation marks, a backslash is literal unless it precedes one of these.
                if openQuote == "\"", !"\"\\$`\n".contains(character) { current.append("\\") }
                current.append(character)
                isEscaped = false
            } else if character == "\\", openQuote != "'" {
                isEscaped = true
            } else if let quote = openQuote {
                if character == quote {
                    openQuote = nil
                } else {
                    current.append(character)
                }
                continue
            } else if character == "'" || character == "\"" {
                openQuote = character
                kept = current.count
            } else if character.isWhitespace {
                if isInWord { words.append(current) }
                (current, kept, isInWord) = ("", 0, false)
                continue
            } else {
                current.append(character)
                // Readline keeps this one with the piece after it, because host names are completed there.
                if separators.contains(character) { kept = current.count - (character == "@" ? 1 : 0) }
            }
            isInWord = true
        }
    }

    /// Returns the text that the shell inserts for a whole word in place of the typed piece.
    func insertion(of word: String) -> String {
        let rest = word.dropFirst(kept)
        switch openQuote {
        case "'": return String(rest).replacing("'", with: #"'\''"#)
        case "\"": return rest.map { "\"\\$`".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        default: return rest.map { isPlain($0) ? "\($0)" : "\\\($0)" }.joined()
        }
    }

    private func isPlain(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "/:@=._-+,%".contains(character) || !character.isASCII
    }
}
