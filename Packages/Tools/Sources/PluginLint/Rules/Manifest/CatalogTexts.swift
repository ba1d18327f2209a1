import PluginCore

// The texts and the icon with which a catalog shows the plugin.
extension LintRule {
    /// The longest name that fits into one line beside an icon, in characters.
    static let nameLimit = 30
    /// The longest summary that fits into one line of a list, in characters.
    static let summaryLimit = 120

    static let nameLong = LintRule(
        "name-long", .warning, "the name has more than \(nameLimit) characters, so lists cut it off",
        remedy: "shorten \"name\" in manifest.json, and \"bundle.name\" in the string tables"
    ) { long("name", "bundle.name", $0.manifest?.name, in: $0, limit: nameLimit) }

    static let summaryLong = LintRule(
        "summary-long", .warning, "the summary has more than \(summaryLimit) characters, so lists cut it off",
        remedy: "shorten \"summary\" in manifest.json, and \"bundle.summary\" in the string tables"
    ) { long("summary", "bundle.summary", $0.manifest?.summary, in: $0, limit: summaryLimit) }

    static let summaryMissing = LintRule(
        "summary-missing", .warning, "there is no summary, so a catalog shows only a name",
        remedy: "describe the plugin in one sentence in \"summary\" of manifest.json"
    ) { $0.manifest?.summary.isEmpty == true ? [Problem("manifest.json", "\"summary\" is missing")] : [] }

    private static func long(
        _ field: String, _ key: String, _ text: String?, in subject: LintSubject, limit: Int
    ) -> [Problem] {
        let translated = subject.resources.tables.compactMap { place, table in table[key].map { (place, key, $0) } }
        let all = [("manifest.json", field, text ?? "")] + translated.sorted { $0.0 < $1.0 }
        return all.filter { $0.2.count > limit }.map { place, name, text in
            Problem(place, "\"\(name)\" has \(text.count) characters")
        }
    }
}
