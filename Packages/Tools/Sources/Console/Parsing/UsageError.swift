/// A command line that cannot be understood, as data; ``report`` makes the sentences.
public struct UsageError: Error, Sendable, Equatable {
    /// What is wrong with the line.
    public enum Code: String, Sendable, CaseIterable {
        /// A word stands where a command should; ``UsageError/expected`` lists the commands.
        case unknownCommand
        /// A group was typed without saying which of its commands.
        case missingCommand
        /// No option of that name is taken here.
        case unknownOption
        /// An option that needs a value ends the line, or is followed by another option.
        case missingValue
        /// A flag was given a value with `=`.
        case unexpectedValue
        /// The value, although there, is not of the kind the option or argument takes.
        case invalidValue
        /// A required argument or option is not there; each of ``UsageError/expected`` is the whole rest of a line that has it.
        case missingArgument
        /// There is one word more than the command takes.
        case unexpectedArgument
        /// An option that is not repeatable is given again.
        case repeatedOption
        /// Two options that are given exclude each other; ``UsageError/expected`` holds the other.
        case conflictingOptions
        /// A word, or a variable that counts here, is not UTF-8; ``UsageError/subject`` is the word with `\xFF` for such bytes.
        case notUTF8
    }

    /// What is wrong.
    public let code: Code
    /// The word as typed, or for what is missing, its name as declared: `--sandbox`, `<identifier>`. Untrusted text.
    public let subject: String
    /// What would have been accepted in its place, as it would be typed.
    public let expected: [String]
    /// The one of them that was probably meant.
    public let nearest: String?
    /// The command whose help applies: program name first, then the names below it.
    public let command: [String]
    /// The value that was refused, for ``Code/invalidValue`` and ``Code/unexpectedValue``. Untrusted text.
    public let value: String?

    /// Describes a fault; commands use it for values that only they can judge.
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
