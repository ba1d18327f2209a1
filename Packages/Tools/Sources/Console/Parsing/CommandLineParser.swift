/// The parser of command lines for a declared command.
///
/// Global options may stand anywhere; `--` ends the options; a single `-` and negative numbers are arguments. `--help` takes
/// precedence over every error except an unknown command, so that a user who needs help always gets it.
public struct CommandLineParser: Sendable {
    private let root: Command

    /// Creates a parser for the program that a root command declares.
    public init(_ root: Command) { self.root = root }

    /// Parses the arguments of a command line without the program's name.
    ///
    /// - Throws: the first error from left to right; missing words are reported only if everything else is valid.
    public func parse(_ arguments: some Sequence<String>) throws(UsageError) -> ParsedCommand {
        let words = Array(arguments)
        var reading = CommandLineReading(root: root, words: words)
        do throws(UsageError) {
            try reading.readAll()
        } catch {
            // This check is exact, because no option accepts a value that looks like an option.
            let asksForHelp = words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
            guard asksForHelp, error.code != .unknownCommand else { throw error }
            return reading.result(.help)
        }
        return try reading.finish()
    }

    /// Returns whether a flag's long form is among the options of a command line, even of an invalid one.
    ///
    /// After ``parse(_:)`` has failed, this tells whether the error must be reported as JSON.
    public func mentions(flag: String, in arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--\(flag)")
    }
}
