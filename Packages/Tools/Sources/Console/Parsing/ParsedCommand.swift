public import PluginCore

/// A parsed command line with the command and its arguments.
public struct ParsedCommand: Sendable {
    /// The action that the caller asks for.
    public enum Intent: Sendable {
        /// Run the command; all required arguments are present.
        case run
        /// Show the command's help text, after `--help`, `-h` or the word `help`; arguments may be missing.
        case help
        /// Show the program's version.
        case version
    }

    /// The action that the caller asks for.
    public let intent: Intent
    private let reading: CommandLineReading

    init(intent: Intent, _ reading: CommandLineReading) { (self.intent, self.reading) = (intent, reading) }

    /// The names of the commands below the root, outermost first; empty for the root.
    public var path: [String] { Array(names.dropFirst()) }
    /// The declaration of the parsed command.
    public var command: Command { reading.command }
    /// The program's name and the path without options, such as `hostapp route explain`.
    public var line: String { names.joined(separator: " ") }

    /// The program's name and the path.
    var names: [String] { reading.trail.map(\.name) }

    /// Returns the last value of an option or its default; `nil` for a name that is not declared.
    public func value(_ option: String) -> String? { values(option).last }

    /// Returns all values of a repeatable option in order, or else its default.
    public func values(_ option: String) -> [String] { reading.values(of: option) }

    /// Returns whether a flag was given.
    public func flag(_ option: String) -> Bool { count(option) > 0 }

    /// Returns the number of times that an option was given, not counting its default.
    public func count(_ option: String) -> Int { reading.given[option]?.count ?? 0 }

    /// Returns the first word of an argument; `nil` if it was omitted.
    public func argument(_ name: String) -> String? { arguments(name).first }

    /// Returns all words of an argument.
    public func arguments(_ name: String) -> [String] { reading.words(of: name) }

    /// Returns the last value of an option as a path, which is relative to the current folder.
    public func file(_ option: String) -> FilePath? { value(option).map { FilePath($0) } }

    /// Returns all values of a repeatable option as paths.
    public func files(_ option: String) -> [FilePath] { values(option).map { FilePath($0) } }

    /// Returns the first word of an argument as a path, which is empty if the word was omitted.
    public func file(argument name: String) -> FilePath { FilePath(argument(name) ?? "") }

    /// Returns the error for a missing word, whose remedy is a complete command line.
    ///
    /// - Parameters:
    ///   - subject: the missing word in the form of the usage line, such as `<file>` or `--key <file>`.
    ///   - more: options to add to those that the command always requires; a missing option alone if there are none.
    public func missing(_ subject: String, adding more: String...) -> UsageError {
        let more = more.isEmpty && subject.hasPrefix("--") ? [subject] : more
        return UsageError(
            .missingArgument, subject: subject,
            expected: command.waysToWrite.map { ([$0] + more).filter { !$0.isEmpty }.joined(separator: " ") },
            command: names)
    }

    /// Returns the error for a value that the parser cannot check.
    ///
    /// - Parameters:
    ///   - subject: the option or argument, such as `--key` or `<file>`.
    ///   - expected: what the command accepts, each in words or as the user would type it.
    public func invalid(
        _ subject: String, _ value: String, _ expected: [String], nearest: String? = nil
    ) -> UsageError {
        UsageError(
            .invalidValue, subject: subject, expected: expected, nearest: nearest, command: names, value: value)
    }

    /// Returns the value that a word names.
    ///
    /// - Throws: ``UsageError/Code/invalidValue`` with all names, if it names none.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ subject: String, _ word: String, of _: Choice.Type = Choice.self
    ) throws(UsageError) -> Choice {
        guard let choice = Choice(rawValue: word) else {
            throw invalid(subject, word, Choice.allCases.map(\.rawValue))
        }
        return choice
    }

    /// Returns the error for two options that cannot be used together, by their names without dashes.
    public func conflict(_ option: String, _ other: String) -> UsageError {
        UsageError(.conflictingOptions, subject: "--\(option)", expected: ["--\(other)"], command: names)
    }

    /// Returns the value of an option as an integer.
    ///
    /// - Throws: ``UsageError/Code/invalidValue`` for any other text or a number outside `range`.
    public func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        if let number = Int(text), range.contains(number) { return number }
        throw invalid(
            "--\(option)", text, [localized("a whole number from \(range.lowerBound) to \(range.upperBound)")])
    }
}
