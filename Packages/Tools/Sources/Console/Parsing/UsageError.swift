import PluginCore

/// An error in a command line as data, from which the report is created.
public struct UsageError: Error, Sendable, Equatable {
    /// The kind of an error.
    public enum Code: String, Sendable, CaseIterable {
        /// A word is not the name of a command; the expected words list the commands.
        case unknownCommand
        /// A group was given without a subcommand.
        case missingCommand
        /// The command has no option with this name.
        case unknownOption
        /// An option without its value ends the line or is followed by another option.
        case missingValue
        /// A flag was given a value with `=`.
        case unexpectedValue
        /// The value of an option or argument is not of the expected kind.
        case invalidValue
        /// A required argument or option is missing; each expected item is a complete rest of the line.
        case missingArgument
        /// There are more words than the command takes.
        case unexpectedArgument
        /// An option that is not repeatable was given twice.
        case repeatedOption
        /// Two options cannot be used together; the expected words contain the other one.
        case conflictingOptions
        /// A word or a relevant variable is not valid UTF-8; the subject shows invalid bytes as `\xFF`.
        case notUTF8
        /// The subject is a path that is relative to the current folder, which no longer exists.
        case currentFolderMissing
    }

    /// The kind of the error.
    public let code: Code
    /// The typed word, or the declared name of a missing one, such as `--sandbox` or `<identifier>`. It is untrusted text.
    public let subject: String
    /// The words that would be accepted instead.
    public let expected: [String]
    /// The expected word that was probably meant.
    public let nearest: String?
    /// The command whose help applies, starting with the program's name.
    public let command: [String]
    /// The rejected value of an option or argument, which is untrusted text.
    public let value: String?

    /// Creates an error; commands use this for values that the parser cannot check.
    public init(
        _ code: Code, subject: String, expected: [String] = [], nearest: String? = nil, command: [String],
        value: String? = nil
    ) {
        self.code = code
        self.subject = subject
        self.expected = expected
        self.nearest = nearest
        self.command = command
        self.value = value
    }
}

extension UsageError {
    /// The report of the error, with the typed word, the accepted words, and the command for help.
    ///
    /// The program ends with ``exitStatus``.
    public var report: FailureReport {
        let (line, punctuation) = (command.joined(separator: " "), Punctuation.current)
        let values = [
            "line": line, "subject": printable(subject), "quoted": quoted(subject), "value": quoted(value ?? ""),
            "list": printable(expected.joined(separator: punctuation.list)),
            "lines": expected.map { quoted("\(line) \($0)") }.joined(separator: punctuation.or),
            "nearest": quoted(nearest ?? ""), "help": quoted("\(line) --help"),
        ].mapValues(ErrorReason.Value.text)
        func text(_ key: String) -> String? { Localization.current.sentence(.usage, key, with: values) }
        let choice = nearest != nil ? text("nearest") : expected.isEmpty ? nil : text(code.rawValue + " choice")
        return FailureReport(
            code: code.rawValue, subject: subject, message: text("\(code)") ?? "\(code): \(quoted(subject))",
            remedy: choice ?? text(code.rawValue + " remedy") ?? text("remedy"))
    }
}
