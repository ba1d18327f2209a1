public import PluginCore

/// Why something was not done, as every command tells it: on standard error as text, or with `--json` as the document.
///
/// ```swift
/// let report = FailureReport(
///     code: "notInstalled", subject: "com.example.shop", message: "\"com.example.shop\" is not installed",
///     remedy: "run \"hostapp install com.example.shop\"")
/// StandardOutput.note(report.text(for: Terminal(.error)))
/// ```
public struct FailureReport: Sendable, Equatable {
    /// The stable name that scripts compare.
    public var code: String
    /// What it is about: an identifier, a path, a URL, as the user gave it.
    public var subject: String
    /// One sentence without its full stop, that quotes the subject.
    public var message: String
    /// What to do, and who must do it; nil when there is nothing to be done.
    public var remedy: String?
    /// Further facts, a line each, such as all problems of a manifest.
    public var details: [String]
    /// The plugin that it came out of, and the requests that led there; nil when it is the program's own.
    public var source: AtriumError.Source?

    /// A report; none of its texts need be free of control characters.
    public init(
        code: String, subject: String, message: String, remedy: String?, details: [String] = [],
        source: AtriumError.Source? = nil
    ) {
        self.code = code
        self.subject = subject
        self.message = message
        self.remedy = remedy
        self.details = details
        self.source = source
    }

    /// `error: message`, then details, plugin and remedy indented below, each line ended by a line feed; on a terminal broken at its
    /// width.
    public func text(for terminal: Terminal = .plain) -> String {
        func lines(_ label: String, _ style: TextStyle, _ text: String, indent: Int, hanging: Int) -> [String] {
            var line = WrappedText(String(repeating: " ", count: indent))
            line.append(label) { terminal.styled($0, style) }
            line.append(" " + text)
            return line.lines(width: terminal.wrappingWidth, hanging: hanging)
        }
        var all = lines("error:", [.bold, .red], message, indent: 0, hanging: 2)
        all += (details + origin).flatMap { lines("-", [], $0, indent: 2, hanging: 4) }
        if let remedy { all += lines("remedy:", .bold, remedy, indent: 2, hanging: 4) }
        return all.joined(separator: "\n") + "\n"
    }

    /// The plugin and the requests that led there, as far as the message does not say so.
    private var origin: [String] {
        guard let source else { return [] }
        var lines: [String] = []
        if !message.contains(quoted(source.bundle)) || !message.contains(quoted(source.request)) {
            lines.append("in \(quoted(source.bundle)), while it served \(quoted(source.request))")
        }
        if source.chain.count > 1 { lines.append("requests: \(source.chain.joined(separator: " -> "))") }
        return lines
    }

    /// `{"error": {"code", "subject", "message", "remedy"}}`, with `details` and `plugin` only if there are any.
    public var json: JSONText { ["error": content] }

    /// What stands in that document: one failure among other things that a command tells.
    public var content: JSONText {
        var members: [(String, JSONText)] = [
            ("code", .string(code)),
            ("subject", .string(subject)),
            ("message", .string(message)),
            ("remedy", remedy.map { .string($0) } ?? .null),
        ]
        if !details.isEmpty { members.append(("details", .array(details.map { .string($0) }))) }
        if let source {
            let plugin: JSONText = [
                "bundle": .string(source.bundle), "request": .string(source.request), "chain": .strings(source.chain),
            ]
            members.append(("plugin", plugin))
        }
        return .object(members)
    }
}
