/// Reads the words of a command line by a declared ``Command``.
///
/// Global options may stand anywhere; `--` ends options; a lone `-` and negative numbers are arguments, not options.
/// `--help` wins over every fault but an unknown command, so that who is lost is never sent away.
public struct CommandLineParser: Sendable {
    private let root: Command

    /// A parser for the program that `root` declares.
    public init(_ root: Command) { self.root = root }

    /// Understands a command line, given without the program's name.
    /// - Throws: the first fault, from left to right; what is missing, only after all that is there was read.
    public func parse(_ arguments: some Sequence<String>) throws(UsageError) -> ParsedCommand {
        let words = Array(arguments)
        var reading = CommandLineReading(root: root, words: words)
        do throws(UsageError) {
            try reading.readAll()
        } catch {
            // Exact, although done before reading: no option takes a value that looks like an option.
            let asksForHelp = words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
            guard asksForHelp, error.code != .unknownCommand else { throw error }
            return reading.result(.help)
        }
        return try reading.finish()
    }

    /// Returns whether a flag's long form stands among the options of a line, even of one that cannot be parsed.
    ///
    /// For the moment when ``parse(_:)`` has failed, to answer in the form that was asked for: `--json`.
    public func mentions(flag: String, in arguments: some Sequence<String>) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--\(flag)")
    }
}
