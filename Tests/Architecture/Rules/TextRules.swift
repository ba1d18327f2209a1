/// The rules for texts in several languages.
extension Rule {
    /// The modules with texts, each with those whose tables its texts can be in.
    private static let modules = [
        (folder: "Packages/Tools/Sources/Console/", tables: ["Packages/Tools/Sources/Console/"]),
        (
            folder: "HostApp/Sources/AppHost/",
            tables: ["HostApp/Sources/AppHost/", "Packages/Tools/Sources/Console/"]
        ),
        (
            folder: "HostApp/Sources/AppScreens/",
            tables: ["HostApp/Sources/AppHost/", "Packages/Tools/Sources/Console/"]
        ),
    ]

    static let translations = Rule(
        "every text for people has a translation with the same values, and every translation a text"
    ) {
        repository in
        let sources = repository.productTargets.flatMap(\.sources).filter(\.isSwift)
        let tables = sources.filter(isTable).map(TranslationTable.init)
        var findings: [Finding] = []
        var used = PlainTexts.words
        for module in modules {
            let known = Set(
                tables.filter { table in module.tables.contains { table.path.hasPrefix($0) } }
                    .flatMap(\.entries).map(\.key))
            for source in sources where source.path.hasPrefix(module.folder) && !isTable(source) {
                for text in source.texts {
                    let isNew = used.insert(text.key).inserted
                    guard text.hasWords, isNew, !known.contains(text.key) else { continue }
                    findings.append(
                        Finding(
                            file: source.path, line: text.line,
                            message:
                                "a text without translation; add to a table: \(TranslationTable.line(for: text.key))"))
                }
            }
        }
        var translated: Set<String> = []
        for table in tables {
            for entry in table.entries {
                let problem: String? =
                    if !used.contains(entry.key) {
                        "a translation of a text that no source has: \"\(entry.key)\""
                    } else if !translated.insert(entry.key).inserted {
                        "a second translation of \"\(entry.key)\""
                    } else if values(in: entry.key) != values(in: entry.translation) {
                        "a translation with other values than \"\(entry.key)\""
                    } else {
                        nil
                    }
                if let problem { findings.append(Finding(file: table.path, line: entry.line, message: problem)) }
            }
        }
        return findings
    }

    static let localizedSentences = Rule("every sentence of the host and its console is looked up in the tables") {
        repository in
        let sources = repository.productTargets.flatMap(\.sources).filter { source in
            source.isSwift && !isTable(source) && modules.contains { source.path.hasPrefix($0.folder) }
                && !PlainTexts.files.contains { source.path.hasSuffix($0) }
        }
        return sources.flatMap { source in
            source.plainSentences.filter { !PlainTexts.texts.contains($0.key) }.map {
                Finding(
                    file: source.path, line: $0.line,
                    message:
                        "\"\($0.key)\" is shown in English only; allowed: localized(\"...\"), or an entry in PlainTexts"
                )
            }
        }
    }

    private static func isTable(_ source: SourceFile) -> Bool {
        source.path.contains("/SimplifiedChinese")
    }

    /// Returns the values of a pattern: the number of `%@`, each of `%1$@`, and the names in braces.
    private static func values(in text: String) -> [String] {
        let names = text.matches(of: /\{([A-Za-z]*)[|}]/).map { String($0.1) }
        let ordered = text.matches(of: /%(\d+)\$@/).map { String($0.1) }
        let count = text.matches(of: /%@/).count
        return (names + (ordered.isEmpty ? (0..<count).map { "\($0 + 1)" } : ordered)).sorted()
    }
}
