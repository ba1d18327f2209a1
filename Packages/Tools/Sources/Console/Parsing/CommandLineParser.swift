import PluginCore

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
        do {
            while !reading.isAtEnd { try reading.readNext() }
        } catch {
            // This check is exact, because no option accepts a value that looks like an option.
            let asksForHelp = words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
            guard asksForHelp, error.code != .unknownCommand else { throw error }
            return ParsedCommand(intent: .help, reading)
        }
        return ParsedCommand(intent: try reading.intent(), reading)
    }

    /// Returns whether a flag's long form is among the options of a command line, even of an invalid one.
    ///
    /// After ``parse(_:)`` has failed, this tells whether the error must be reported as JSON.
    public func mentions(flag: String, in arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--\(flag)")
    }
}

/// The state of reading one command line from left to right.
///
/// After an error it can go on with the next word, as completion does, which reads lines that lack something.
struct CommandLineReading {
    private let words: [String]
    private var position = 0
    private(set) var optionsEnded = false
    /// The commands read so far, starting with the root.
    private(set) var trail: [Command]
    private(set) var hasHelpWord = false
    /// The option whose value is missing at the end of the line.
    private(set) var openOption: Command.Option?
    private var asksVersion = false
    /// The values of the options on the line, which are empty for flags.
    private(set) var given: [String: [String]] = [:]
    private(set) var positionals: [String] = []

    init(root: Command, words: [String]) {
        self.words = words
        trail = [root]
    }

    /// The command that the words so far name.
    var command: Command { trail[trail.count - 1] }
    /// Returns the option with a long name that is accepted here.
    func option(named name: String) -> Command.Option? { trail.visibleOptions.first { $0.name == name } }
    /// Returns the option with a letter that is accepted here.
    private func option(_ letter: Character) -> Command.Option? { trail.visibleOptions.first { $0.short == letter } }
    var isAtEnd: Bool { position == words.count }

    mutating func readNext() throws(UsageError) {
        let word = words[position]
        position += 1
        if optionsEnded || !looksLikeOption(word) {
            try readPlain(word)
        } else if word == "--" {
            optionsEnded = true
        } else if word.hasPrefix("--") {
            try readLong(word)
        } else {
            try readShort(word)
        }
    }

    private func looksLikeOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word.count > 1 else { return false }
        return !isNegativeNumber(word)
    }

    private func isNegativeNumber(_ word: String) -> Bool {
        guard let first = word.dropFirst().first, first.isASCII, first.isNumber else { return false }
        return option(first) == nil && Double(word) != nil
    }

    private mutating func readPlain(_ word: String) throws(UsageError) {
        guard !command.subcommands.isEmpty else {
            guard !hasHelpWord else { throw fault(.unexpectedArgument, word) }
            return positionals.append(word)
        }
        if let next = command.subcommand(named: word) {
            trail.append(next)
        } else if word == "help" && !hasHelpWord {
            hasHelpWord = true
        } else {
            let names = command.subcommands.map(\.name)
            throw fault(.unknownCommand, word, expected: names, nearest: Nearest.words(to: word, in: names).first)
        }
    }

    private mutating func readLong(_ word: String) throws(UsageError) {
        // Scalars are compared, because a combining mark at the start of the value would join with the "=" to one Character.
        let scalars = word.unicodeScalars.dropFirst(2)
        let equals = scalars.firstIndex(of: "=")
        let name = String(scalars[..<(equals ?? scalars.endIndex)])
        let value = equals.map { String(scalars[scalars.index(after: $0)...]) }
        guard let option = option(named: name) else { throw unknownOption("--\(name)", named: name) }
        try take(option, value: value)
    }

    /// Reads a word of short options, such as `-o`, `-o value`, `-ovalue`, `-o=value` or `-vq`.
    private mutating func readShort(_ word: String) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = option(letter) else { throw unknownOption(word, named: String(word.dropFirst())) }
            if letters.first == "=" {
                return try take(option, value: String(letters.dropFirst()))
            } else if !option.isFlag && !letters.isEmpty {
                return try take(option, value: String(letters))
            }
            try take(option, value: nil)
        }
    }

    private mutating func take(_ option: Command.Option, value: String?) throws(UsageError) {
        let typed = "--\(option.name)"
        if option.isFlag, let value { throw fault(.unexpectedValue, typed, value: value) }
        guard let value = option.isFlag ? "" : value ?? nextValue() else {
            if isAtEnd { openOption = option }
            throw fault(.missingValue, typed, expected: [option.usage])
        }
        guard option.isRepeatable || !isGiven(option) || option == .help || option == .version else {
            throw fault(.repeatedOption, typed)
        }
        if option == .version { asksVersion = true }
        given[option.name, default: []].append(value)
    }

    private mutating func nextValue() -> String? {
        guard !isAtEnd, !looksLikeOption(words[position]) else { return nil }
        defer { position += 1 }
        return words[position]
    }

    /// Returns what a whole line asks for, after checking that nothing is missing.
    func intent() throws(UsageError) -> ParsedCommand.Intent {
        if hasHelpWord || isGiven(.help) { return .help }
        if asksVersion { return .version }
        if !command.subcommands.isEmpty && command.requiresSubcommand {
            throw fault(.missingCommand, "<command>", expected: command.subcommands.map(\.name))
        }
        if positionals.count > command.arguments.count, command.arguments.last?.isRepeated != true {
            throw fault(.unexpectedArgument, positionals[command.arguments.count])
        }
        if let argument = command.arguments.dropFirst(positionals.count).first(where: \.isRequired) {
            throw fault(.missingArgument, "<\(argument.name)>", expected: command.waysToWrite)
        }
        try requireOptions()
        return .run
    }

    private func requireOptions() throws(UsageError) {
        if let option = command.requiredOptions.first(where: { !hasValue($0) }) {
            throw fault(.missingArgument, option.usage, expected: command.waysToWrite)
        }
        for group in command.alternatives {
            let typed = group.filter(isGiven)
            if typed.count > 1 {
                throw fault(
                    .conflictingOptions, "--\(typed[0].name)", expected: typed.dropFirst().map { "--\($0.name)" })
            }
            guard typed.contains(where: hasValue) else {
                let subject = group.map(\.usage).joined(separator: " or ")
                throw fault(.missingArgument, subject, expected: command.waysToWrite)
            }
        }
    }

    /// Returns whether an option is on the line.
    func isGiven(_ option: Command.Option) -> Bool { given[option.name] != nil }

    /// A blank value is taken for an unset variable.
    private func hasValue(_ option: Command.Option) -> Bool {
        given[option.name]?.contains { !$0.allSatisfy(\.isWhitespace) } == true
    }

    /// Returns the words of an argument.
    func words(of name: String) -> [String] {
        guard let index = command.arguments.firstIndex(where: { $0.name == name }) else { return [] }
        return Array(positionals.dropFirst(index).prefix(command.arguments[index].isRepeated ? .max : 1))
    }

    /// Returns the values of an option, or else its default. A flag has none.
    func values(of name: String) -> [String] {
        let option = trail.lazy.flatMap { $0.options + $0.globalOptions }.first { $0.name == name }
        guard let option, !option.isFlag else { return [] }
        return given[name] ?? [option.defaultValue].compactMap(\.self)
    }

    private func fault(
        _ code: UsageError.Code, _ subject: String, expected: [String] = [], nearest: String? = nil,
        value: String? = nil
    ) -> UsageError {
        UsageError(
            code, subject: subject, expected: expected, nearest: nearest, command: trail.map(\.name), value: value)
    }

    private func unknownOption(_ typed: String, named name: String) -> UsageError {
        let names = trail.visibleOptions.map(\.name)
        // A name of one letter is similar to every other, so it is not used for suggestions.
        let nearest = name.count > 1 ? Nearest.words(to: name, in: names).first.map { "--\($0)" } : nil
        return fault(.unknownOption, typed, expected: names.map { "--\($0)" }, nearest: nearest)
    }
}
