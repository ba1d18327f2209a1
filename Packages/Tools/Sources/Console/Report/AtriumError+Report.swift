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
        let cause = (underlying as? AtriumError)?.report
        return FailureReport(
            code: code.name, subject: subject, message: message ?? sentence(cause?.message),
            remedy: remedy ?? (underlying as? AtriumError)?.remedy ?? knownRemedy
                ?? (isKnown ? nil : localized(Self.askAuthor)),
            details: problems.map(\.sentence) + (cause?.details ?? []), source: source, reason: reason)
    }

    /// The exit status of a program that fails with this error.
    ///
    /// It is ``ExitStatus/badInput`` for a code that this program does not know, because plugins reject input with their own codes.
    public var exitStatus: ExitStatus { ExitStatus.byCode[code.name] ?? .badInput }

    private static let askAuthor: Sentence = "correct the input; the plugin's author can say what is allowed"

    /// A Boolean value that indicates whether the code is one of this program's own, and not of a plugin.
    private var isKnown: Bool { ExitStatus.byCode[code.name] != nil }

    private func sentence(_ cause: String?) -> String {
        var message = isKnown ? knownSentence : refusal
        if code == .pluginFailed, let source {
            message = localized("\(message) while it served \(quoted(source.request))")
        }
        if let why = cause ?? reason?.sentence { message += Localization.current.punctuation.colon + shortened(why) }
        if let offer { message += localized("; did you mean \(offer)?") }
        return message
    }

    private var knownSentence: String {
        let template = Localization.current.sentence(.errors, code.name) ?? code.name + ": {subject}"
        return template.split(separator: "{subject}", maxSplits: 1, omittingEmptySubsequences: false).joined(
            separator: quoted(subject))
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
