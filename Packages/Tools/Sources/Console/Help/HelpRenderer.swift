/// The renderer of a command's help text from its declaration.
///
/// ```swift
/// let help = HelpRenderer(root, terminal: Terminal(.output))
/// if let text = help.text(for: ["route", "explain"]) { try StandardOutput.write(text) }
/// ```
public struct HelpRenderer: Sendable {
    private static let narrowest = 40

    private let root: Command
    private let terminal: Terminal
    private let width: Int

    /// Creates a renderer for the program that a root command declares.
    ///
    /// - Parameters:
    ///   - width: the width in columns, at least 40.
    ///   - terminal: decides whether headings are bold.
    public init(_ root: Command, width: Int = 80, terminal: Terminal = .plain) {
        self.root = root.described
        self.width = max(width, Self.narrowest)
        self.terminal = terminal
    }

    /// Returns the help text of the command at a path of names below the root; `nil` if there is no such command.
    public func text(for path: [String] = []) -> String? {
        guard let trail = root.trail(to: path), let command = trail.last else { return nil }
        var sections = [heading(localized("Usage:")) + Punctuation.current.gap + usageLine(trail)]
        sections.append(block(localized(key: command.summary), indent: 0))
        if !command.discussion.isEmpty { sections.append(block(localized(key: command.discussion), indent: 0)) }
        sections += list(localized("Arguments"), command.arguments.map { ($0.usage, $0.fullHelp) })
        sections += list(localized("Options"), rows(command.options, of: command))
        sections += list(localized("Global options"), rows(trail.inheritedOptions, of: command))
        sections += list(localized("Commands"), command.subcommands.map { ($0.name, localized(key: $0.summary)) })
        sections += list(localized("Exit status"), command.exitStatuses.map { ("\($0.rawValue)", $0.meaning) })
        if !command.examples.isEmpty { sections.append(examples(command.examples)) }
        if !command.subcommands.isEmpty {
            let line = ([root.name, "help"] + path + ["<command>"]).joined(separator: " ")
            sections.append(block(localized("\"\(line)\" shows more about a command."), indent: 0))
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    private func usageLine(_ trail: [Command]) -> String {
        var words = trail.map(\.name)
        if let command = trail.last, !command.subcommands.isEmpty {
            words.append(command.requiresSubcommand ? "<command>" : "[<command>]")
        }
        words += trail.last?.usage ?? []
        return (words + ["[options]"]).joined(separator: " ")
    }

    private func rows(_ options: [Command.Option], of command: Command) -> [(String, String)] {
        options.map { option in
            ((option.short.map { "-\($0), " } ?? "    ") + option.usage, command.fullHelp(of: option))
        }
    }

    private func examples(_ examples: [Command.Example]) -> String {
        let blocks = examples.map { example in
            let line = "    \(printable(example.line))"
            return example.caption.isEmpty ? line : block(localized(key: example.caption), indent: 2) + "\n" + line
        }
        return ([heading(localized("Examples:"))] + blocks).joined(separator: "\n")
    }

    /// Returns a heading with two aligned columns below it, or nothing if there are no rows.
    private func list(_ title: String, _ rows: [(label: String, help: String)]) -> [String] {
        if rows.isEmpty { return [] }
        let widest = width / 2 - 4
        let labels = rows.map { printable($0.label) }
        let fitting = labels.map { displayWidth(of: $0) }.filter { $0 <= widest }
        let column = 2 + (fitting.max() ?? 0) + 2
        let blocks = zip(labels, rows).map { label, row in
            let help = block(row.help, indent: column)
            if help.isEmpty { return "  \(label)" }
            // A label that is too wide gets its own line and does not widen the column.
            if displayWidth(of: label) > widest { return "  \(label)\n\(help)" }
            return padded("  \(label)", to: column) + help.dropFirst(column)
        }
        return [([heading(localized("\(title):"))] + blocks).joined(separator: "\n")]
    }

    private func block(_ text: String, indent: Int) -> String {
        let margin = spaces(indent)
        let lines = wrapped(printable(text, keepingLines: true), to: width - indent)
        return lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
    }

    private func heading(_ text: String) -> String { terminal.styled(text, .bold) }
}

extension Command {
    /// The required options.
    var requiredOptions: [Option] { options.filter { $0.presence == .required } }

    /// The groups of options of which exactly one is required, in the order of declaration.
    var alternatives: [[Option]] {
        let names = options.compactMap { if case .oneOf(let name) = $0.presence { name } else { nil } }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.map { name in options.filter { $0.presence == .oneOf(name) } }
    }

    /// The required words after the name in the usage line.
    ///
    /// For example `<bundle> --key <file>` or `<bundle> (--key <file> | --trust <file>)`.
    var usage: [String] {
        arguments.map(\.usage) + requiredOptions.map(\.usage)
            + alternatives.map { "(" + $0.map(\.usage).joined(separator: " | ") + ")" }
    }

    /// The minimal valid command lines, more than one if there are groups of alternative options.
    var waysToWrite: [String] {
        let fixed = arguments.map(\.usage) + requiredOptions.map(\.usage)
        let ways = alternatives.reduce([fixed]) { ways, group in
            ways.flatMap { way in group.map { way + [$0.usage] } }
        }
        return ways.map { $0.joined(separator: " ") }
    }
}

extension Command {
    /// Returns the help of an option with the rules for its use.
    func fullHelp(of option: Option) -> String {
        var help = localized(key: option.help)
        if option.isRepeatable { help += localized(" May be repeated.") }
        if option.presence == .required { help += localized(" Required.") }
        if let group = alternatives.first(where: { $0.contains(option) }) {
            let others = group.filter { $0 != option }.map { "--\($0.name)" }
                .joined(separator: Punctuation.current.or)
            help += localized(" Either this or \(others) is required.")
        }
        if let value = option.defaultValue { help += localized(" Default: \(value)") }
        return help
    }
}

extension Command.Argument {
    /// The help with the rule for the argument's use.
    var fullHelp: String { localized(key: help) + (isRequired || isRepeated ? "" : localized(" Optional.")) }
}
