public import PluginCore

extension AtriumError: ReportableError {
    /// The maximum number of suggestions.
    private static let offered = 3

    /// The report of the error for people and scripts.
    ///
    /// The message quotes the subject and contains the reason and the suggestions. The remedy says who must do what. Each problem
    /// is a detail, and the source is the plugin that raised the error.
    ///
    /// ```swift
    /// AtriumError(.routeUnknown, "app://shp/cart", nearest: ["app://shop/cart"]).report.message
    /// // no plugin handles "app://shp/cart"; did you mean "app://shop/cart"?
    /// ```
    public var report: FailureReport {
        let row = ErrorMessage.all[code.name]
        let cause = (underlying as? AtriumError)?.report
        return FailureReport(
            code: code.name, subject: subject, message: message ?? sentence(row, cause?.message),
            remedy: remedy ?? (underlying as? AtriumError)?.remedy ?? row?.remedy(for: self)
                ?? localized(Self.askAuthor),
            details: problems.map(\.sentence) + (cause?.details ?? []), source: source, reason: reason)
    }

    /// The exit status of a program that fails with this error.
    ///
    /// It is ``ExitStatus/badInput`` for a code that this program does not know, because plugins reject input with their own codes.
    public var exitStatus: ExitStatus { ErrorMessage.all[code.name]?.status ?? .badInput }

    private static let askAuthor: Sentence = "correct the input; the plugin's author can say what is allowed"

    private func sentence(_ row: ErrorMessage?, _ cause: String?) -> String {
        var message = row?.sentence(about: subject) ?? refusal
        if code == .pluginFailed, let source {
            message = localized("\(message) while it served \(quoted(source.request))")
        }
        if let why = cause ?? reason?.sentence { message += Localization.current.punctuation.colon + shortened(why) }
        if let offer { message += localized("; did you mean \(offer)?") }
        return message
    }

    /// The beginning of the message for a code that a plugin has defined.
    private var refusal: String {
        let plugin = source.map { quoted($0.bundle) } ?? localized("a plugin")
        let request = subject.isEmpty ? localized("the request") : quoted(subject)
        return localized("\(plugin) refused \(request) with the code \(quoted(code.name))")
    }

    private var offer: String? {
        let words = nearest.prefix(Self.offered).map { quoted($0) }
        return words.isEmpty ? nil : Localization.current.punctuation.alternatives(words)
    }
}
