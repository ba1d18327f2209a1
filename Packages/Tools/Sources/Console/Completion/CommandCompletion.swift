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
        self.root = root.described
        self.list = list
    }

    /// Returns how a command line can continue.
    ///
    /// - Parameters:
    ///   - words: the complete words after the program's name.
    ///   - current: the beginning of the next word, which may be empty.
    public func complete(_ words: [String], _ current: String) -> Completion {
        var position = CommandLineReading(root: root, words: words)
        while !position.isAtEnd {
            do {
                try position.readNext()
            } catch {
                // It isn't known what can follow another command. Anything else can still be corrected.
                if error.code == .unknownCommand { return Completion() }
            }
        }
        var context = CompletionContext(prefix: current, reading: position)
        if let option = position.openOption { return values(of: option.kind, context) }
        guard !position.optionsEnded, current.hasPrefix("-") else { return plain(context) }
        // The scalars are compared, because a combining mark after the "=" would join with it to one Character.
        if current.hasPrefix("--"), let equals = current.unicodeScalars.firstIndex(of: "=") {
            let name = String(current.unicodeScalars[..<equals].dropFirst(2))
            guard let option = position.option(named: name), !option.isFlag else { return Completion() }
            context.prefix = String(current.unicodeScalars[equals...].dropFirst())
            return values(of: option.kind, context, after: "--\(name)=")
        }
        return Completion(candidates: options(position, current))
    }

    private func plain(_ context: CompletionContext) -> Completion {
        let (position, commands) = (context.reading, context.reading.command.subcommands)
        if !commands.isEmpty {
            var words = commands.map { Completion.Candidate($0.name, help: localized(key: $0.summary)) }
            if !position.hasHelpWord {
                words.append(Completion.Candidate("help", help: localized("Show the help of a command.")))
            }
            return Completion(candidates: words.filter { $0.text.hasPrefix(context.prefix) })
        }
        guard !position.hasHelpWord else { return Completion() }
        if let argument = position.nextArgument {
            var result = values(of: argument.kind, context)
            if argument.isRepeated { result.candidates.removeAll { context.arguments.contains($0.text) } }
            return result
        }
        return Completion(candidates: context.prefix.isEmpty && !position.optionsEnded ? options(position, "") : [])
    }

    private func options(_ position: CommandLineReading, _ prefix: String) -> [Completion.Candidate] {
        position.trail.visibleOptions.filter { $0.isRepeatable || !position.isGiven($0) }
            .map { .init("--\($0.name)", help: localized(key: $0.help)) }
            .filter { $0.text.hasPrefix(prefix) }
    }

    private func values(
        of kind: Command.ValueKind, _ context: CompletionContext, after optionPart: String = ""
    ) -> Completion {
        var result = Completion(optionPart: optionPart)
        add(kind, to: &result, context)
        result.candidates = result.candidates.filter { $0.text.hasPrefix(context.prefix) }
            .map { .init(optionPart + $0.text, help: $0.help, isPart: $0.isPart) }
        return result
    }

    private func add(_ kind: Command.ValueKind, to result: inout Completion, _ context: CompletionContext) {
        switch kind {
        case .text: break
        case .file, .folder: result.paths = kind
        case .words(let words): result.candidates += words.map { .init($0) }
        case .item(let item): result.candidates += list(item, context)
        case .either(let kinds): for kind in kinds { add(kind, to: &result, context) }
        }
    }
}

extension CommandLineReading {
    /// The argument that the next plain word belongs to; `nil` if there is none.
    fileprivate var nextArgument: Command.Argument? {
        let all = command.arguments
        if positionals.count < all.count { return all[positionals.count] }
        return all.last.flatMap { $0.isRepeated ? $0 : nil }
    }
}
