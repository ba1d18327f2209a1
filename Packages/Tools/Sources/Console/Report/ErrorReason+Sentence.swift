public import PluginCore

extension ErrorReason {
    /// The clause for people, which continues the sentence about the error code.
    ///
    /// A reason of a plugin, which the file of the language does not contain, is described by its name and values.
    public var sentence: String {
        guard let template = Localization.current.sentence(.reasons, name) else { return description }
        var text = ""
        var rest = template[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            text += rest[..<start]
            let parts = rest[rest.index(after: start)..<end].split(separator: "|", maxSplits: 1)
            let value = values[String(parts.first ?? "")]
            // Braces without a value are part of the sentence.
            text += value?.sentence(separator: parts.count == 2 ? String(parts[1]) : nil) ?? String(rest[start...end])
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    /// The values as JSON, by name.
    var json: JSONText {
        [
            "name": .string(name),
            "values": .object(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }),
        ]
    }
}

extension ErrorReason.Value {
    /// - Parameter separator: The text between the elements of a list, instead of a comma or, between reasons, a semicolon.
    fileprivate func sentence(separator: String?) -> String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .list(let texts): texts.joined(separator: separator ?? Localization.current.punctuation.list)
        case .reason(let reason): reason.sentence
        case .reasons(let reasons):
            reasons.map(\.sentence).joined(separator: separator ?? Localization.current.punctuation.clauses)
        @unknown default: description
        }
    }

    fileprivate var json: JSONText {
        switch self {
        case .text(let text): .string(redacted(text))
        case .integer(let number): .integer(number)
        case .list(let texts): .strings(texts)
        case .reason(let reason): reason.json
        case .reasons(let reasons): .array(reasons.map(\.json))
        @unknown default: .string(description)
        }
    }
}
