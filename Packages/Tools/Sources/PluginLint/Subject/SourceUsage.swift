import PluginCore

/// The string literals of a plugin's code and JSON files, by which unused texts and pages are found.
struct SourceUsage {
    private let texts: [String]
    /// The beginnings of composed names: any name with such a beginning may be used.
    private let beginnings: Set<String>

    /// Collects the literals.
    ///
    /// - Returns: `nil` for a bundle with code whose sources are not known, or whose code composes names from their beginning on.
    init?(of subject: LintSubject) {
        guard let manifest = subject.manifest else { return nil }
        let hasCode = manifest.entry != nil || !manifest.extensions.isEmpty
        guard !hasCode || subject.sources != nil else { return nil }
        texts = (subject.sources ?? []) + subject.resources.documents
        var beginnings: Set<String> = []
        for text in subject.sources ?? [] {
            if text.contains(#"string("\("#) { return nil }
            beginnings.formUnion(Self.beginnings(in: text))
        }
        self.beginnings = beginnings
    }

    /// Returns the literals before an interpolation, and those that end in a period, to which code appends the rest.
    private static func beginnings(in text: String) -> [String] {
        let composed =
            text.split(separator: "\\(").dropLast() + text.split(separator: ".\"").dropLast().map { $0 + "." }
        return composed.compactMap { piece in
            guard let quote = piece.lastIndex(of: "\"") else { return nil }
            let beginning = piece[piece.index(after: quote)...]
            return beginning.isEmpty || beginning.contains(where: \.isWhitespace) ? nil : String(beginning)
        }
    }

    /// Returns whether a name occurs as a literal, with or without `@`, or may be the result of an interpolation.
    func mentions(_ name: String) -> Bool {
        beginnings.contains(where: name.hasPrefix)
            || texts.contains { $0.contains("\"\(name)\"") || $0.contains("\"@\(name)\"") }
    }
}
