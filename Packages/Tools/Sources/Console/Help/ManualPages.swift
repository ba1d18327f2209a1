/// The manual pages of a program, one for each of its commands, made from the declaration of its command line.
///
/// ```swift
/// let pages = ManualPages(root)
/// pages.names                                      // ["greet", "greet-loudly"]
/// pages.text(named: "greet", date: "2026-11-25")   // .TH GREET 1 ...
/// ```
public struct ManualPages: Sendable {
    private let root: Command

    /// Creates the pages of the program that a root command declares.
    public init(_ root: Command) { self.root = root }

    /// The names of all pages without the number of their section, the program's first.
    public var names: [String] { paths.map(name) }

    /// Returns the source of a page in the language of man(7); `nil` if there is no such page.
    ///
    /// - Parameter date: the day of the release as `YYYY-MM-DD`.
    public func text(named page: String, date: String) -> String? {
        guard let path = paths.first(where: { name($0) == page }), let trail = root.trail(to: path) else { return nil }
        return text(trail, path, date)
    }

    private var paths: [[String]] { Self.paths(of: root, below: []) }

    private static func paths(of command: Command, below path: [String]) -> [[String]] {
        [path] + command.subcommands.flatMap { paths(of: $0, below: path + [$0.name]) }
    }

    private func name(_ path: [String]) -> String { ([root.name] + path).joined(separator: "-") }

    private func text(_ trail: [Command], _ path: [String], _ date: String) -> String {
        let command = trail[trail.count - 1]
        let options = VisibleOptions(trail)
        var page = ManualText()
        let release = [root.name, root.version].compactMap(\.self).joined(separator: " ")
        page.title(name(path).uppercased(), date: date, release: release)
        page.name(name(path), command.summary.asPhrase)
        page.section("SYNOPSIS")
        let usage = HelpRenderer(root).usage(for: path) ?? ""
        page.line("\\fB\(ManualText.escaped(trail.map(\.name).joined(separator: " ")))\\fR")
        page.text(String(usage.dropFirst(trail.map(\.name).joined(separator: " ").count + 1)))
        page.section("DESCRIPTION")
        page.text(command.summary)
        page.paragraphs(command.discussion)
        page.list("ARGUMENTS", command.arguments.map { ($0.usage, $0.fullHelp) })
        page.list("OPTIONS", options.own.map { ($0.manualName, command.fullHelp(of: $0)) })
        page.list(
            trail.count == 1 ? "GLOBAL OPTIONS" : "OPTIONS OF ALL COMMANDS",
            options.global.map { ($0.manualName, command.fullHelp(of: $0)) })
        page.list("COMMANDS", command.subcommands.map { ($0.name, $0.summary) })
        page.list("EXIT STATUS", command.exitStatuses.map { ("\($0.rawValue)", $0.meaning) })
        if !command.examples.isEmpty {
            page.section("EXAMPLES")
            for example in command.examples { page.example(example.line, example.caption) }
        }
        page.seeAlso(related(path, command))
        return page.source
    }

    /// The names of the pages to read next: the parent, and the subcommands.
    private func related(_ path: [String], _ command: Command) -> [String] {
        let parent = path.isEmpty ? [] : [name(path.dropLast())]
        return parent + command.subcommands.map { name(path + [$0.name]) }.sorted()
    }
}

extension Command.Option {
    /// The names of the option in a manual page, such as `-o, --output <dir>`.
    fileprivate var manualName: String { (short.map { "-\($0), " } ?? "") + usage }
}

extension String {
    /// A sentence as it stands in a list of pages, without its period and capital.
    fileprivate var asPhrase: String {
        let text = hasSuffix(".") ? String(dropLast()) : self
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
        return first.lowercased() + text.dropFirst()
    }
}
