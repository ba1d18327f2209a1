public import PluginCore

/// The report of a failure, printed to standard error as text or to standard output as JSON.
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
    /// The identifier, path or URL that the failure is about, as the user gave it.
    public var subject: String
    /// One sentence that quotes the subject, without a period.
    public var message: String
    /// The action that solves the problem and who must take it; `nil` if there is none.
    public var remedy: String?
    /// Further facts, one line each, such as all problems of a manifest.
    public var details: [String]
    /// The plugin that raised the error and the requests that led to it; `nil` for the program itself.
    public var source: AtriumError.Source?
    /// The reason of an error, as data for scripts.
    public var reason: ErrorReason?

    /// Creates a report; its texts may contain control characters. Passwords in addresses are left out.
    public init(
        code: String, subject: String, message: String, remedy: String?, details: [String] = [],
        source: AtriumError.Source? = nil, reason: ErrorReason? = nil
    ) {
        self.code = code
        self.subject = redacted(subject)
        self.message = redacted(message)
        self.remedy = remedy.map(redacted)
        self.details = details.map(redacted)
        self.source = source
        self.reason = reason
    }

    /// Renders the message, and the details, the plugin and the remedy below it.
    ///
    /// The first line is `error: message`, each line ends with a line feed, and lines are wrapped at the width of a terminal.
    public func text(for terminal: Terminal = .plain) -> String {
        func lines(_ label: String, _ style: TextStyle, _ text: String, indent: Int, hanging: Int) -> String {
            var line = WrappedText(spaces(indent))
            line.append(label) { terminal.styled($0, style) }
            line.append((label == "-" ? " " : Punctuation.current.gap) + text)
            return line.text(width: terminal.wrappingWidth, hanging: hanging)
        }
        var all = lines(localized("error:"), [.bold, .red], message, indent: 0, hanging: 2)
        for fact in details + origin { all += lines("-", [], fact, indent: 2, hanging: 4) }
        if let remedy { all += lines(localized("remedy:"), .bold, remedy, indent: 2, hanging: 4) }
        return all
    }

    /// The plugin and the requests, unless the message already contains them.
    private var origin: [String] {
        guard let source else { return [] }
        var lines: [String] = []
        if !message.contains(quoted(source.bundle)) || !message.contains(quoted(source.request)) {
            lines.append(localized("in \(quoted(source.bundle)), while it served \(quoted(source.request))"))
        }
        if source.chain.count > 1 { lines.append(localized("requests: \(source.chain.joined(separator: " -> "))")) }
        return lines
    }

    /// The report as a JSON document, with details, reason and plugin only if there are any.
    public var json: JSONText { ["error": content] }

    /// The content of the JSON document, for use inside another document.
    public var content: JSONText {
        var content = JSONText(["code": code, "subject": subject, "message": message, "remedy": remedy])
        if !details.isEmpty { content = content + ["details": details] }
        if let reason { content = content + ["reason": reason.json] }
        if let source {
            let plugin = JSONText(["bundle": source.bundle, "request": source.request, "chain": source.chain])
            content = content + ["plugin": plugin]
        }
        return content
    }
}

/// An error that provides its own report and exit status.
///
/// ```swift
/// let (report, status) = FailureReport.of(error)
/// StandardOutput.note(report.text(for: Terminal(.error)))
/// status.exit()
/// ```
public protocol ReportableError: Error {
    /// The report for people and scripts.
    var report: FailureReport { get }
    /// The exit status of a program that fails with this error.
    var exitStatus: ExitStatus { get }
}

/// An error of a command that nothing but its report and its exit status tells from others.
///
/// Each module of a program adds its errors as static members.
public struct CommandError: ReportableError, Equatable {
    /// The report for people and scripts.
    public let report: FailureReport
    /// The exit status of a program that fails with this error.
    public let exitStatus: ExitStatus

    /// Creates an error whose sentence and remedy are those of a reason in the file of the language.
    ///
    /// - Parameters:
    ///   - code: the code of the report; by default the name of the reason.
    ///   - values: the values in both texts, in addition to `{subject}`.
    ///   - details: further facts, one line each.
    package init(
        _ exitStatus: ExitStatus, _ subject: some CustomStringConvertible, code: String? = nil, reason: String,
        _ values: [String: ErrorReason.Value] = [:], details: [String] = []
    ) {
        let subject = subject.description
        let reason = ErrorReason(reason, values.merging(["subject": "\(subject)"]) { own, _ in own })
        report = FailureReport(
            code: code ?? reason.name, subject: subject, message: reason.sentence, remedy: reason.remedy,
            details: details)
        self.exitStatus = exitStatus
    }
}

extension UsageError: ReportableError {
    /// The exit status for an invalid command line, or for one whose paths lead nowhere.
    public var exitStatus: ExitStatus { code == .currentFolderMissing ? .notFound : .usage }
}

extension OutputError: ReportableError {
    /// The exit status for failed input or output.
    public var exitStatus: ExitStatus { .ioError }
}

extension FailureReport {
    /// Returns the report and the exit status of any error.
    ///
    /// An error that isn't a ``ReportableError`` is an internal error of the program and ends it with ``ExitStatus/software``.
    public static func of(_ error: any Error) -> (report: FailureReport, status: ExitStatus) {
        if let error = error as? any ReportableError { return (error.report, error.exitStatus) }
        let report = FailureReport(
            code: "internal", subject: "", message: localized("internal error: \(error)"),
            remedy: localized("report this to the maintainers of the program, with your command line"))
        return (report, .software)
    }
}
