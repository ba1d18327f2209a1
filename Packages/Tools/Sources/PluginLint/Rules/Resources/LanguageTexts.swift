import Console
import PluginCore

extension LintRule {
    package static let textMissing = LintRule(
        "text-missing", .error, "a text exists in some languages only, so other users see another language or a key",
        remedy: "add the text to each string table, or remove it from all"
    ) { subject in
        let (tables, all) = (subject.resources.tables, subject.resources.keys)
        return tables.sorted { $0.key < $1.key }.flatMap { place, table in
            all.subtracting(table.keys).sorted().map { key in
                let others = tables.filter { $0.value[key] != nil }.keys.sorted().joined(separator: ", ")
                return Problem(place, "\(quoted(key)) is missing, but exists in \(others)")
            }
        }
    }

    package static let layoutTextMissing = LintRule(
        "layout-text-missing", .error, "a layout shows a text that exists in no language",
        remedy: "add the text to each string table, or correct the key in the layout"
    ) { subject in
        let all = subject.resources.keys
        return subject.resources.layouts.sorted { $0.key < $1.key }.flatMap { place, layout in
            layout.keys.subtracting(all).sorted().map {
                Problem(place, "\(quoted("@" + $0)) has no text in any language, so the key is shown")
            }
        }
    }

    static let textArguments = LintRule(
        "text-arguments", .error, "a text has another number of {} in another language, so a value is lost",
        remedy: "use the same number of {} in each language"
    ) { subject in
        let tables = subject.resources.tables.sorted { $0.key < $1.key }
        return subject.resources.keys.sorted().compactMap { key in
            let found = tables.compactMap { place, table in table[key].map { (place, arguments(in: $0)) } }
            guard let first = found.first, let other = found.first(where: { $0.1 != first.1 }) else { return nil }
            return Problem(other.0, "\(quoted(key)) has \(other.1) {}, but \(first.1) in \(first.0)")
        }
    }

    private static func arguments(in text: String) -> Int {
        text.split(separator: "{}", omittingEmptySubsequences: false).count - 1
    }

    /// The texts that catalogs read.
    private static let catalogKeys: Set = ["bundle.name", "bundle.summary"]

    static let textUnused = LintRule(
        "text-unused", .warning, "neither a layout nor the code uses a text",
        remedy: "remove the text from each string table"
    ) { subject in
        guard let usage = SourceUsage(of: subject) else { return [] }
        let asked = subject.resources.layouts.values.reduce(into: catalogKeys) { $0.formUnion($1.keys) }
        return subject.resources.keys.subtracting(asked).filter { !usage.mentions($0) }.sorted().map { key in
            let places = subject.resources.tables.filter { $0.value[key] != nil }.keys.sorted()
            return Problem(places.first ?? "", "\(quoted(key)) is not used")
        }
    }
}
