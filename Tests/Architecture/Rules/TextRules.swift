/// The rules for texts in several languages.
extension Rule {
    /// The folders of the modules with texts.
    private static let modules = [
        "Packages/Tools/Sources/Console/", "HostApp/Sources/AppHost/", "HostApp/Sources/AppScreens/",
    ]

    private static func textSources(of repository: Repository) -> [SourceFile] {
        repository.productTargets.flatMap(\.sources).filter { source in
            source.isSwift && modules.contains { source.path.hasPrefix($0) }
        }
    }

    static let translations = Rule(
        "every text for people has a translation with the same values in each language, and every translation a text"
    ) {
        repository in
        let english = repository.languages.first(where: \.isEnglish)
        let texts = textSources(of: repository).flatMap { source in source.texts.map { (source.path, $0) } }
        let used = PlainTexts.words.union(texts.map { $0.1.key })
        return repository.languages.filter { !$0.isEnglish }.flatMap { language in
            let translated = language.section(LanguageTable.texts)
            var reported: Set<String> = []
            let missing = texts.filter {
                $0.1.hasWords && translated[$0.1.key] == nil && reported.insert($0.1.key).inserted
            }.map { path, text in
                Finding(
                    file: path, line: text.line,
                    message:
                        "a text without translation; add to \(language.path): \(LanguageTable.line(for: text.key))")
            }
            return missing + untranslated(english, in: language) + unused(in: language, used, english)
        }
    }

    /// Returns the sentences of errors and of the host's help that a language lacks.
    private static func untranslated(_ english: LanguageTable?, in language: LanguageTable) -> [Finding] {
        let known = Set(language.entries.map { [$0.section, $0.key] })
        // The tool for authors is in English only.
        let needed = (english?.entries ?? []).filter { !["bundletool", "checks", "lint"].contains($0.section) }
        return needed.filter { !known.contains([$0.section, $0.key]) }.map {
            Finding(
                file: LanguageTable.english, line: $0.line,
                message: "a sentence without translation; add to \($0.section) in \(language.path): "
                    + LanguageTable.line(for: $0.key))
        }
    }

    /// Returns the entries of a language that translate nothing, or not the same.
    private static func unused(
        in language: LanguageTable, _ texts: Set<String>, _ english: LanguageTable?
    ) -> [Finding] {
        let originals = Dictionary((english?.entries ?? []).map { ([$0.section, $0.key], $0.text) }) { first, _ in first
        }
        var found: Set<[String]> = []
        return language.entries.compactMap { entry in
            let isText = entry.section == LanguageTable.texts
            let original =
                isText ? texts.contains(entry.key) ? entry.key : nil : originals[[entry.section, entry.key]]
            let problem: String? =
                if !found.insert([entry.section, entry.key]).inserted {
                    "a second translation of \"\(entry.key)\""
                } else if let original {
                    values(in: original) == values(in: entry.text)
                        ? nil : "a translation with other values than \"\(original)\""
                } else {
                    "a translation of a text that no source has: \"\(entry.key)\""
                }
            return problem.map { language.finding(at: entry.line, $0) }
        }
    }

    static let localizedSentences = Rule("every sentence of the host and its console is looked up in the tables") {
        repository in
        let sources = textSources(of: repository).filter { source in
            !PlainTexts.files.contains { source.path.hasSuffix($0) }
        }
        return sources.flatMap { source in
            source.plainSentences.filter { !PlainTexts.texts.contains($0.key) }.map {
                source.finding(
                    at: $0.line,
                    "\"\($0.key)\" is shown in English only; allowed: localized(\"...\"), or an entry in PlainTexts"
                )
            }
        }
    }

    /// Returns the values of a pattern: the number of `%@`, each of `%1$@`, and the names in braces.
    private static func values(in text: String) -> [String] {
        let names = text.matches(of: /\{([A-Za-z]*)[|}]/).map { String($0.1) }
        let ordered = text.matches(of: /%(\d+)\$@/).map { String($0.1) }
        let count = text.matches(of: /%@/).count
        return (names + (ordered.isEmpty ? (0..<count).map { "\($0 + 1)" } : ordered)).sorted()
    }
}
