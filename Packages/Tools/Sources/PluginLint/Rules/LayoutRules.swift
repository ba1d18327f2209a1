import Console
import PageLayouts
import PluginCore
import PluginRouter

extension LintRule {
    static let layoutUnused = LintRule("layout-unused", .warning) { subject in
        guard let usage = SourceUsage(of: subject) else { return [] }
        let shown = Set((subject.manifest?.routes ?? []).compactMap(\.layout))
        return subject.resources.layouts.sorted { $0.key < $1.key }.flatMap { place, layout in
            let file = place.split(separator: "/").last?.dropLast(".json".count) ?? ""
            return layout.pages.keys.sorted().map { "\(file)/\($0)" }
                .filter { !shown.contains($0) && !usage.mentions($0) }
                .map { Problem(place, "no route and no code shows \(quoted($0))") }
        }
    }

    package static let layoutImageMissing = LintRule("layout-image-missing", .error) { subject in
        let names = Set(subject.resources.names)
        let folders =
            [""]
            + Set(names.compactMap { $0.split(separator: "/").first }.filter { $0.hasSuffix(".lproj") })
            .map { "\($0)/" }
        return subject.resources.layouts.sorted { $0.key < $1.key }.flatMap { place, layout in
            layout.pages.values.flatMap(\.images).map(\.name).filter { name in
                !folders.contains { folder in
                    ScaledFile.names(of: name).contains { names.contains(folder + $0) }
                }
            }.sorted().map { Problem(place, "there is no image \(quoted("Resources/\($0)"))") }
        }
    }

    static let linkMalformed = LintRule("link-malformed", .error) { subject in
        links(in: subject).filter { $0.samples.isEmpty }.map { link in
            Problem(link.place, "\(quoted(link.address)) of \(link.source) is not a valid address")
        }
    }

    static let linkUnresolved = LintRule("link-unresolved", .warning) { subject in
        guard let manifest = subject.manifest else { return [] }
        let others = (subject.catalog ?? []).map(\.manifest) + subject.dependencies
        let routes = RouteCoverage.list(of: [manifest] + others)
        let own = Set(RouteCoverage.list(of: [manifest]).routes.flatMap(\.pattern.firstSegments))
        return links(in: subject).filter { link in
            guard let uri = link.samples.first, link.samples.allSatisfy({ routes.matches(for: $0).isEmpty }) else {
                return false
            }
            // Without the catalog, only the addresses below the plugin's own ones are known.
            return RoutePattern.firstSegments(matching: uri).contains { own.contains($0) && !$0.isEmpty }
                || subject.catalog != nil && uri.text.hasPrefix("app://")
        }
        .map { link in
            Problem(link.place, "no route matches \(quoted(link.address)) of \(link.source)")
        }
    }

    /// An address that an action or a row of a layout opens.
    struct Link {
        let place: String
        /// The action or row that opens it, such as `the action "go"`.
        let source: String
        let address: String
        /// The address with values for its parameters; empty for one that is malformed with all of them.
        let samples: [ResourceURI]
    }

    /// Returns the links of all layouts.
    static func links(in subject: LintSubject) -> [Link] {
        subject.resources.layouts.sorted { $0.key < $1.key }.flatMap { place, layout in
            layout.pages.sorted { $0.key < $1.key }.flatMap { _, page in
                let actions = (page.actions ?? []).map { ("the action \(quoted($0.id))", $0.open) }
                let rows = page.rows.compactMap { row in row.open.map { ("the row \(quoted(row.title))", $0) } }
                return (actions + rows).map { source, open in
                    let filled = parameterSamples.map { open.replacing(/\{[^}]*\}/, with: $0) }
                    let samples = filled.compactMap { try? ResourceURI($0) }
                    return Link(place: place, source: source, address: open, samples: samples)
                }
            }
        }
    }

    /// Values of which each standard type of a capture accepts at least one.
    private static let parameterSamples = ["1", "x", "true", "00000000-0000-0000-0000-000000000000"]

    package static let textMissing = LintRule("text-missing", .error) { subject in
        let (tables, all) = (subject.resources.tables, subject.resources.keys)
        return tables.sorted { $0.key < $1.key }.flatMap { place, table in
            all.subtracting(table.keys).sorted().map { key in
                let others = tables.filter { $0.value[key] != nil }.keys.sorted().joined(separator: ", ")
                return Problem(place, "\(quoted(key)) is missing, but exists in \(others)")
            }
        }
    }

    package static let layoutTextMissing = LintRule("layout-text-missing", .error) { subject in
        let all = subject.resources.keys
        return subject.resources.layouts.sorted { $0.key < $1.key }.flatMap { place, layout in
            layout.keys.subtracting(all).sorted().map {
                Problem(place, "\(quoted("@" + $0)) has no text in any language, so the key is shown")
            }
        }
    }

    static let textArguments = LintRule("text-arguments", .error) { subject in
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

    static let textUnused = LintRule("text-unused", .warning) { subject in
        guard let usage = SourceUsage(of: subject) else { return [] }
        let asked = subject.resources.layouts.values.reduce(into: catalogKeys) { $0.formUnion($1.keys) }
        return subject.resources.keys.subtracting(asked).filter { !usage.mentions($0) }.sorted().map { key in
            let places = subject.resources.tables.filter { $0.value[key] != nil }.keys.sorted()
            return Problem(places.first ?? "", "\(quoted(key)) is not used")
        }
    }
}
