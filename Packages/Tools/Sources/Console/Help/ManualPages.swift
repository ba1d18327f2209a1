/// The manual pages of a program, one for each of its commands, which show the help of the command.
///
/// ```swift
/// let pages = ManualPages(root: root)
/// pages.names                                      // ["greet", "greet-loudly"]
/// pages.text(named: "greet", date: "2026-11-25")   // .TH GREET 1 ...
/// ```
struct ManualPages {
    let root: Command

    /// The width of the help, which a page indents on a terminal with 80 columns, and of the lines of the source.
    private static let (helpWidth, width) = (71, 76)

    /// The names of all pages without the number of their section, the program's first.
    var names: [String] { paths.map(name) }

    /// Returns the source of a page in the language of man(7); `nil` if there is no such page.
    ///
    /// - Parameter date: the day of the release as `YYYY-MM-DD`.
    func text(named page: String, date: String) -> String? {
        guard let path = paths.first(where: { name($0) == page }), let command = root.described.trail(to: path)?.last,
            let help = HelpRenderer(root, width: Self.helpWidth).text(for: path)
        else { return nil }
        let day = date.filter { $0.isNumber || $0 == "-" }
        let release = Self.escaped([root.name, root.version].compactMap(\.self).joined(separator: " "))
        var lines = [
            ".TH \"\(Self.escaped(page.uppercased()))\" 1 \"\(day)\" \"\(release)\" \"User Commands\"", ".SH NAME",
            Self.continued("\(Self.escaped(page)) \\- \(Self.escaped(command.summary.asPhrase))"), ".SH DESCRIPTION",
            ".EX",
        ]
        lines += help.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { Self.continued(Self.escaped(String($0))) }
        lines.append(".EE")
        let related =
            (path.isEmpty ? [] : [name(path.dropLast())]) + command.subcommands.map { name(path + [$0.name]) }.sorted()
        if !related.isEmpty { lines.append(".SH SEE ALSO") }
        for (index, page) in related.enumerated() {
            lines.append(".BR \(Self.escaped(page)) (1)\(index + 1 < related.count ? "," : "")")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var paths: [[String]] { Self.paths(of: root, below: []) }

    private static func paths(of command: Command, below path: [String]) -> [[String]] {
        [path] + command.subcommands.flatMap { paths(of: $0, below: path + [$0.name]) }
    }

    private func name(_ path: [String]) -> String { ([root.name] + path).joined(separator: "-") }

    /// Divides a long line into several with a backslash at the end, which are one line of the page.
    private static func continued(_ text: String) -> String {
        var (lines, current) = ([String](), "")
        for piece in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !current.isEmpty, current.utf8.count + piece.utf8.count > width {
                lines.append(current + "\\")
                current = ""
            }
            current += piece + " "
        }
        return (lines + [String(current.dropLast())]).joined(separator: "\n")
    }

    /// Returns a text that means only itself in man(7).
    static func escaped(_ text: String) -> String {
        let marks: [Character: String] = [
            "\\": "\\e", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "`": "\\(ga", "~": "\\(ti", "^": "\\(ha",
        ]
        let body = printable(text).map { marks[$0] ?? String($0) }.joined()
        return body.hasPrefix(".") ? "\\&" + body : body
    }
}

extension String {
    /// The sentence as a phrase after a dash: without a period, and in lower case unless it starts with an abbreviation.
    fileprivate var asPhrase: String {
        let text = hasSuffix(".") ? String(dropLast()) : self
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
        return first.lowercased() + text.dropFirst()
    }
}
