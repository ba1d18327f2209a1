/// A command line that was understood: which command, and what it was given.
public struct ParsedCommand: Sendable {
    /// What the caller asks the program to do.
    public enum Intent: Sendable {
        /// Run the command; all its required arguments are there.
        case run
        /// Show the command's help: `--help`, `-h`, or the word `help` was typed. Arguments may be missing.
        case help
        /// Show the program's version.
        case version
    }

    /// What the caller asks for.
    public let intent: Intent
    /// The names of the commands below the root, outermost first; empty for the root.
    public let path: [String]
    /// The declaration of the command at ``path``.
    public let command: Command
    /// What the repeated argument took, `--` left out; empty for a command without one.
    public let rest: [String]

    let program: String
    let flags: [String: Int]
    let given: [String: [String]]
    let defaults: [String: String]
    let taken: [String: [String]]

    /// The program name and the path as one typed them, without options: `hostapp route explain`.
    public var line: String { ([program] + path).joined(separator: " ") }

    /// An option's value: the last one given, else the declared default. Nil for names that nobody declared.
    public func value(_ option: String) -> String? { values(option).last }

    /// All values given for a repeatable option, in order; else its declared default alone.
    public func values(_ option: String) -> [String] { given[option] ?? defaults[option].map { [$0] } ?? [] }

    /// Returns whether a flag was given.
    public func flag(_ option: String) -> Bool { count(option) > 0 }

    /// How often an option was given, declared default not counted.
    public func count(_ option: String) -> Int { flags[option] ?? given[option]?.count ?? 0 }

    /// An argument's word, the first one for a repeated argument; nil when it was left out.
    public func argument(_ name: String) -> String? { taken[name]?.first }

    /// All words that an argument took.
    public func arguments(_ name: String) -> [String] { taken[name] ?? [] }

    /// The fault of a line that lacks something; its remedy is the whole line as it is to be written.
    /// - Parameters:
    ///   - subject: what is missing, as usage writes it: `<file>`, `--key <file>`.
    ///   - more: options to write beside what the command always needs.
    public func missing(_ subject: String, adding more: String...) -> UsageError {
        UsageError(
            .missingArgument, subject: subject,
            expected: command.waysToWrite.map { ([$0] + more).filter { !$0.isEmpty }.joined(separator: " ") },
            command: [program] + path)
    }

    /// An option's value as a whole number.
    /// - Throws: ``UsageError/Code/invalidValue`` for anything else, or a number outside `range`.
    public func integer(_ option: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        if let number = Int(text), range.contains(number) { return number }
        throw UsageError(
            .invalidValue, subject: "--\(option)",
            expected: ["a whole number from \(range.lowerBound) to \(range.upperBound)"],
            command: [program] + path, value: text)
    }
}
