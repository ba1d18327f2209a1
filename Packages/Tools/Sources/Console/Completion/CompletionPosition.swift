/// The state of reading an incomplete command line from left to right.
///
/// Unlike the parser, it accepts lines that lack something, and stops only where it no longer knows the command.
struct CompletionPosition {
    private var trail: [Command]
    private(set) var optionsEnded = false
    private(set) var hasHelpWord = false
    /// The option whose value comes next.
    private(set) var openOption: Command.Option?
    private var arguments: [String] = []
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []

    init(_ root: Command) { trail = [root] }

    /// The command that the words so far name.
    var command: Command { trail[trail.count - 1] }
    var visible: VisibleOptions { VisibleOptions(trail) }

    /// The argument that the next plain word belongs to; `nil` if there is none.
    var nextArgument: Command.Argument? {
        let all = command.arguments
        if arguments.count < all.count { return all[arguments.count] }
        return all.last.flatMap { $0.isRepeated ? $0 : nil }
    }

    func hasOption(_ name: String) -> Bool { values[name] != nil || flags.contains(name) }

    func context(_ prefix: String) -> CompletionContext {
        CompletionContext(
            prefix: prefix, path: trail.dropFirst().map(\.name), arguments: arguments, values: values, flags: flags)
    }

    /// Reads a word.
    ///
    /// - Returns: `false` if it isn't known what can follow.
    mutating func read(_ word: String) -> Bool {
        if let option = openOption {
            take(option, word)
            openOption = nil
        } else if optionsEnded || !word.hasPrefix("-") || word == "-" {
            return readPlain(word)
        } else if word == "--" {
            optionsEnded = true
        } else if word.hasPrefix("--") {
            readLong(word)
        } else {
            readShort(word)
        }
        return true
    }

    private mutating func readPlain(_ word: String) -> Bool {
        if command.subcommands.isEmpty {
            arguments.append(word)
        } else if let next = command.subcommand(named: word) {
            trail.append(next)
        } else if word == "help", !hasHelpWord {
            hasHelpWord = true
        } else {
            return false
        }
        return true
    }

    private mutating func readLong(_ word: String) {
        let scalars = word.unicodeScalars.dropFirst(2)
        let equals = scalars.firstIndex(of: "=")
        guard let option = visible.named(String(scalars[..<(equals ?? scalars.endIndex)])) else { return }
        if option.isFlag {
            flags.insert(option.name)
        } else if let equals {
            take(option, String(scalars[equals...].dropFirst()))
        } else {
            openOption = option
        }
    }

    private mutating func readShort(_ word: String) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = visible.short(letter) else { return }
            if option.isFlag {
                flags.insert(option.name)
            } else if letters.isEmpty {
                return openOption = option
            } else {
                return take(option, String(letters.first == "=" ? letters.dropFirst() : letters))
            }
        }
    }

    private mutating func take(_ option: Command.Option, _ value: String) {
        values[option.name, default: []].append(value)
    }
}
