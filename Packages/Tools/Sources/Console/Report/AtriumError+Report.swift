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
        if let why = cause ?? reason?.sentence { message += Punctuation.current.colon + shortened(why) }
        if let offer { message += localized("; did you mean \(offer)?") }
        return message
    }

    private var knownSentence: String {
        let template = Localization.current.sentence(.errors, code.name) ?? code.name + ": {subject}"
        return template.replacing("{subject}", with: quoted(subject), maxReplacements: 1)
    }

    /// The beginning of the message for a code that a plugin has defined.
    private var refusal: String {
        let plugin = source.map { quoted($0.bundle) } ?? localized("a plugin")
        let request = subject.isEmpty ? localized("the request") : quoted(subject)
        return localized("\(plugin) refused \(request) with the code \(quoted(code.name))")
    }

    private var offer: String? {
        let words = nearest.prefix(Self.offered).map { quoted($0) }
        return words.isEmpty ? nil : Punctuation.current.alternatives(words)
    }
}

extension AtriumError {
    /// The remedy for the error's reason, for a subject that can be part of a command, or else for its code.
    ///
    /// It is `nil` for the code of a plugin.
    var knownRemedy: String? {
        let catalog = Localization.current
        guard let remedy = catalog.sentence(.remedies, code.name) else { return nil }
        if let special = reason?.remedy { return special }
        guard let command = catalog.sentence(.commands, code.name), nearest.isEmpty, isWord(subject) else {
            return remedy
        }
        // The subject of an installed version is its identity, that of a package is its file.
        let isIdentity = subject.contains("@") && !subject.hasSuffix(".zip")
        guard isIdentity || !command.contains("{identity}") else { return remedy }
        return command.replacing("{id}", with: subject.prefix { $0 != "@" })
            .replacing("{subject}", with: subject).replacing("{identity}", with: subject)
    }

    /// Returns whether a text is an identifier that can be copied into a shell, because subjects can be arbitrary text.
    private func isWord(_ text: String) -> Bool {
        text.utf8.count <= 255 && text.contains(".") && text.wholeMatch(of: /[A-Za-z][A-Za-z0-9.+@-]*/) != nil
    }
}

extension ErrorReason {
    /// The clause for people, which continues the sentence about the error code.
    ///
    /// A reason of a plugin, which the file of the language does not contain, is described by its name and values.
    public var sentence: String {
        Localization.current.sentence(.reasons, name, with: values) ?? description
    }

    /// The advice for the reason; `nil` if it has none of its own.
    var remedy: String? { Localization.current.sentence(.reasonRemedies, name, with: values) }

    /// The values as JSON, by name.
    var json: JSONText {
        let values = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        return ["name": name, "values": JSONText.object(values)]
    }
}

extension ErrorReason.Value {
    /// - Parameter separator: The text between the elements of a list, instead of a comma or, between reasons, a semicolon.
    func sentence(separator: String?) -> String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .list(let texts): texts.joined(separator: separator ?? Punctuation.current.list)
        case .reason(let reason): reason.sentence
        case .reasons(let reasons):
            reasons.map(\.sentence).joined(separator: separator ?? Punctuation.current.clauses)
        @unknown default: description
        }
    }

    fileprivate var json: JSONText {
        switch self {
        case .text(let text): .string(redacted(text))
        case .integer(let number): .integer(number)
        case .list(let texts): texts.json
        case .reason(let reason): reason.json
        case .reasons(let reasons): .array(reasons.map(\.json))
        @unknown default: .string(description)
        }
    }
}
