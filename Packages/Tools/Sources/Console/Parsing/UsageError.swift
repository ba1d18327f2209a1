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
        FailureReport(code: code.rawValue, subject: subject, message: message, remedy: remedy)
    }

    private var line: String { command.joined(separator: " ") }

    private var message: String {
        switch code {
        case .unknownCommand: localized("\(line) has no command \(quoted(subject))")
        case .missingCommand: localized("\(line) needs a command")
        case .unknownOption: localized("\(line) has no option \(quoted(subject))")
        case .missingValue: localized("option \(subject) needs a value")
        case .unexpectedValue: localized("option \(subject) takes no value, but was given \(quoted(value ?? ""))")
        case .invalidValue: localized("\(printable(subject)) cannot be \(quoted(value ?? ""))")
        case .missingArgument: localized("\(line) needs \(subject)")
        case .unexpectedArgument: localized("\(line) takes no further argument, but was given \(quoted(subject))")
        case .repeatedOption: localized("option \(subject) was given twice")
        case .conflictingOptions: localized("options \(subject) and \(list) cannot be used together")
        case .notUTF8: localized("\(line) was given bytes that are not UTF-8: \(quoted(subject))")
        case .currentFolderMissing:
            localized(
                "the current folder no longer exists, or cannot be found, and \(quoted(subject)) is relative to it")
        }
    }

    private var remedy: String {
        let help = "\(line) --help"
        if let nearest { return localized("did you mean \(quoted(nearest))? See \(quoted(help))") }
        switch code {
        case .unknownCommand, .missingCommand:
            return expected.isEmpty
                ? localized("see \(quoted(help))") : localized("use one of \(list); see \(quoted(help))")
        case .missingValue: return localized("write \(list)")
        case .invalidValue: return localized("give \(list)")
        case .unexpectedValue: return localized("write \(subject) alone")
        case .repeatedOption: return localized("give \(subject) once")
        case .conflictingOptions: return localized("give one of them; see \(quoted(help))")
        case .missingArgument:
            let lines = expected.map { quoted("\(line) \($0)") }
            return localized("write \(lines.joined(separator: Localization.current.punctuation.or))")
        case .notUTF8: return localized("give text in UTF-8; a file with such a name must be renamed first")
        case .currentFolderMissing: return localized("change to a folder that exists, or give an absolute path")
        case .unknownOption, .unexpectedArgument: return localized("see \(quoted(help))")
        }
    }

    private var list: String { printable(expected.joined(separator: Localization.current.punctuation.list)) }
}
