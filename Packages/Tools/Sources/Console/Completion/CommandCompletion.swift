/// The completion of command lines of a declared command.
///
/// ```swift
/// let completion = CommandCompletion(root) { item, context in
///     item == .installed ? installed.map { Completion.Candidate($0) } : []
/// }
/// completion.complete(["install"], "com.ex").candidates
/// ```
public struct CommandCompletion: Sendable {
    /// Lists the items of a kind in a context; those that don't begin with the typed text are ignored.
    public typealias List = @Sendable (Command.Item, CompletionContext) -> [Completion.Candidate]

    private let root: Command
    private let list: List

    /// Creates the completion for the program that a root command declares.
    public init(_ root: Command, list: @escaping List = { _, _ in [] }) {
        self.root = root
        self.list = list
    }

    /// Returns how a command line can continue.
    ///
    /// - Parameters:
    ///   - words: the complete words after the program's name.
    ///   - current: the beginning of the next word, which may be empty.
    public func complete(_ words: [String], _ current: String) -> Completion {
        var position = CompletionPosition(root)
        for word in words { guard position.read(word) else { return Completion() } }
        var context = position.context(current)
        if let option = position.openOption { return values(of: option.kind, context) }
        guard !position.optionsEnded, current.hasPrefix("-") else {
            return plain(position, context)
        }
        // The scalars are compared, because a combining mark after the "=" would join with it to one Character.
        if current.hasPrefix("--"), let equals = current.unicodeScalars.firstIndex(of: "=") {
            let name = String(current.unicodeScalars[..<equals].dropFirst(2))
            guard let option = position.visible.named(name), !option.isFlag else { return Completion() }
            context.prefix = String(current.unicodeScalars[equals...].dropFirst())
            return values(of: option.kind, context, after: "--\(name)=")
        }
        return Completion(candidates: options(position, current))
    }

    private func plain(_ position: CompletionPosition, _ context: CompletionContext) -> Completion {
        let command = position.command
        if !command.subcommands.isEmpty {
            let commands = command.subcommands.map { Completion.Candidate($0.name, help: localized(key: $0.summary)) }
            let help =
                position.hasHelpWord
                ? [] : [Completion.Candidate("help", help: localized("Show the help of a command."))]
            return Completion(candidates: (commands + help).filter { $0.text.hasPrefix(context.prefix) })
        }
        guard !position.hasHelpWord else { return Completion() }
        if let argument = position.nextArgument {
            var result = values(of: argument.kind, context)
            if argument.isRepeated { result.candidates.removeAll { context.arguments.contains($0.text) } }
            return result
        }
        let offered = context.prefix.isEmpty && !position.optionsEnded ? options(position, "") : []
        return Completion(candidates: offered)
    }

    private func options(_ position: CompletionPosition, _ prefix: String) -> [Completion.Candidate] {
        position.visible.all.filter { $0.isRepeatable || !position.hasOption($0.name) }
            .map { Completion.Candidate("--\($0.name)", help: localized(key: $0.help)) }
            .filter { $0.text.hasPrefix(prefix) }
    }

    private func values(
        of kind: Command.ValueKind, _ context: CompletionContext, after optionPart: String = ""
    ) -> Completion {
        var result = Completion(optionPart: optionPart)
        add(kind, to: &result, context)
        result.candidates = result.candidates.filter { $0.text.hasPrefix(context.prefix) }
            .map { Completion.Candidate(optionPart + $0.text, help: $0.help, isPart: $0.isPart) }
        return result
    }

    private func add(_ kind: Command.ValueKind, to result: inout Completion, _ context: CompletionContext) {
        switch kind {
        case .text: break
        case .file(let ending): result.paths = .files(ending: ending)
        case .folder: result.paths = .folders
        case .words(let words): result.candidates += words.map { Completion.Candidate($0) }
        case .item(let item): result.candidates += list(item, context)
        case .either(let kinds): for kind in kinds { add(kind, to: &result, context) }
        }
    }
}

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
