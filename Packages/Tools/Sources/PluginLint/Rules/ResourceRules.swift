import Console
import PageLayouts
import PluginCore
import PluginRouter

extension LintRule {
    static let resourceInvalid = Self("resource-invalid", .error) { $0.refusals["resource-invalid"] ?? [] }

    package static let fileStray = Self("file-stray", .warning) { subject in
        subject.resources.names.compactMap { name in
            StrayFile.doubt(about: name).map { Problem("Resources/\(name)", $0) }
        }
    }

    package static let fileScale = Self("file-scale", .warning) { subject in
        let known = Set(subject.resources.names)
        return subject.resources.names.compactMap { name in
            ScaledFile.doubt(about: name, among: known).map { Problem("Resources/\(name)", $0) }
        }
    }
}

/// The detection of files for a scale that a host or a plugin does not find.
enum ScaledFile {
    /// Returns the reason to suspect that a file for a scale is not found; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - path: the path below `Resources`, such as `images/icon@2x.png`.
    ///   - others: the paths of all resources.
    static func doubt(about path: String, among others: Set<String>) -> String? {
        guard let (base, scale) = parts(of: path) else { return nil }
        guard let scale, (2...BundleResources.largestScale).contains(scale) else {
            return "a file for a scale ends in @2x or @3x, and the one for scale 1 in neither; rename it"
        }
        if others.contains(base) { return nil }
        return "there is no \(quoted(base)), so code that asks for that name without a scale finds nothing; add it"
    }

    /// Returns the names of the files that an image can have, such as `icon.png` and `icon@2x.png`.
    static func names(of name: String) -> [String] {
        guard let match = name.wholeMatch(of: /(.*?[^\/])(\.[^\/.]*)?/) else { return [name] }
        return [name] + (2...BundleResources.largestScale).map { "\(match.1)@\($0)x\(match.2 ?? "")" }
    }

    /// Returns the name without the scale modifier, and the scale; `nil` for a name without one.
    private static func parts(of path: String) -> (base: String, scale: Int?)? {
        path.wholeMatch(of: /(.*[^\/])@([0-9]+)x(\.[^\/.]*)?/).map { ("\($0.1)\($0.3 ?? "")", Int($0.2)) }
    }
}

/// The detection of files and folders that were probably added by mistake.
package enum StrayFile {
    private static let names: Set = [".DS_Store", "Thumbs.db", "desktop.ini", ".directory", ".gitignore", ".gitkeep"]
    private static let folders: Set = [".git", ".svn", ".hg", "__MACOSX", ".idea", ".vscode"]
    private static let endings = [
        "~", ".swp", ".swo", ".swx", ".bak", ".orig", ".rej", ".tmp", "___jb_tmp___", "___jb_old___",
    ]
    private static let beginnings = ["._", ".#", "#"]

    /// Returns the reason to suspect that a file was added by mistake; `nil` if there is none.
    ///
    /// - Parameter path: the path below `Resources`.
    static func doubt(about path: String) -> String? {
        let components = path.split(separator: "/").map(String.init)
        guard let name = components.last else { return nil }
        if names.contains(name) || isOfEditor(name) || components.contains(where: folders.contains) {
            return "a desktop, an editor or a version control system created it, and it would be shipped; remove it"
        }
        if components.count == 2, components[0] != "Pages", components[0].lowercased() == "pages" {
            return "layouts are read from \"Pages\" only; rename \"\(components[0])\""
        }
        if components.count == 2, path.lowercased().hasSuffix(".lproj/localizable.json"),
            !path.hasSuffix(".lproj/Localizable.json")
        {
            return "texts are read from \"<language>.lproj/Localizable.json\" only; rename it"
        }
        return nil
    }

    /// Returns whether an editor leaves files of this name beside those that it saves.
    package static func isOfEditor(_ name: String) -> Bool {
        // Vim tries whether it can create the file 4913 in a folder, or else 5036 and so on.
        let isTrial = Int(name).map { $0 >= 4913 && ($0 - 4913) % 123 == 0 } ?? false
        return isTrial || beginnings.contains(where: name.hasPrefix) || endings.contains(where: name.hasSuffix)
    }

    /// Returns warnings about folders that are not packed, because their names differ from `Resources` in case.
    package static func doubts(beside names: [String]) -> [String] {
        names.filter { $0 != "Resources" && $0.lowercased() == "resources" }.sorted().map {
            "\($0): it is not packed; the folder must be named \"Resources\""
        }
    }
}

extension LintRule {
    static let layoutUnused = Self("layout-unused", .warning) { subject in
        guard let usage = SourceUsage(of: subject) else { return [] }
        let shown = Set((subject.manifest?.routes ?? []).compactMap(\.layout))
        return subject.resources.layouts.sorted { $0.key < $1.key }.flatMap { place, layout in
            let file = place.split(separator: "/").last?.dropLast(".json".count) ?? ""
            return layout.pages.keys.sorted().map { "\(file)/\($0)" }
                .filter { !shown.contains($0) && !usage.mentions($0) }
                .map { Problem(place, "no route and no code shows \(quoted($0))") }
        }
    }

    package static let layoutImageMissing = Self("layout-image-missing", .error) { subject in
        let names = Set(subject.resources.names)
        let folders = Set(names.map { "\($0.prefix { $0 != "/" })/" }.filter { $0.hasSuffix(".lproj/") }).union([""])
        return subject.resources.layouts.sorted { $0.key < $1.key }.flatMap { place, layout in
            layout.pages.values.flatMap(\.images).map(\.name).filter { name in
                let files = ScaledFile.names(of: name)
                return !folders.contains { folder in files.contains { names.contains(folder + $0) } }
            }.sorted().map { Problem(place, "there is no image \(quoted("Resources/\($0)"))") }
        }
    }

    static let linkMalformed = Self("link-malformed", .error) { subject in
        links(in: subject).filter(\.samples.isEmpty).map {
            Problem($0.place, "\(quoted($0.address)) of \($0.source) is not a valid address")
        }
    }

    static let linkUnresolved = Self("link-unresolved", .warning) { subject in
        guard let manifest = subject.manifest else { return [] }
        let others = (subject.catalog ?? []).map(\.manifest) + subject.dependencies
        let routes = RouteCoverage.list(of: [manifest] + others)
        let known = [manifest] + subject.dependencies
        let own = Set(RouteCoverage.list(of: known).routes.flatMap(\.pattern.firstSegments))
        return links(in: subject).filter { link in
            guard let uri = link.samples.first, link.samples.allSatisfy({ routes.matches(for: $0).isEmpty }) else {
                return false
            }
            // Without the catalog, only the addresses below those of the plugin and of its dependencies are known.
            return RoutePattern.firstSegments(matching: uri).contains { own.contains($0) && !$0.isEmpty }
                || subject.catalog != nil && uri.text.hasPrefix("app://")
        }
        .map { Problem($0.place, "no route matches \(quoted($0.address)) of \($0.source)") }
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

    package static let textMissing = Self("text-missing", .error) { subject in
        let (tables, all) = (subject.resources.tables, subject.resources.keys)
        return tables.sorted { $0.key < $1.key }.flatMap { place, table in
            all.subtracting(table.keys).sorted().map { key in
                let others = tables.filter { $0.value[key] != nil }.keys.sorted().joined(separator: ", ")
                return Problem(place, "\(quoted(key)) is missing, but exists in \(others)")
            }
        }
    }

    package static let layoutTextMissing = Self("layout-text-missing", .error) { subject in
        let all = subject.resources.keys
        return subject.resources.layouts.sorted { $0.key < $1.key }.flatMap { place, layout in
            layout.keys.subtracting(all).sorted().map { key in
                let nearest = nearest(to: key, in: all) { "@" + $0 }
                return Problem(place, "\(quoted("@" + key)) has no text in any language, so the key is shown\(nearest)")
            }
        }
    }

    static let textUnknown = Self("text-unknown", .error) { subject in
        let all = subject.resources.keys
        let code = (subject.code ?? []).map(SourceUsage.withoutComments)
        let keys = code.flatMap {
            $0.matches(of: /(?:resources|strings)\s*\.string\(\s*"([^"\\]+)"/).map { String($0.1) }
        }
        return Set(keys).subtracting(all).sorted().map { key in
            Problem(
                "Sources", "\(quoted(key)) has no text in any language, so the key is shown\(nearest(to: key, in: all))"
            )
        }
    }

    static let textsStale = Self("texts-stale", .error) { subject in
        (subject.sources ?? []).filter(TextConstants.isGenerated).flatMap { old -> [Problem] in
            let new = TextConstants(of: subject.resources.tables[TextConstants.table] ?? [:], replacing: old)
            if !new.problems.isEmpty { return new.problems.map { Problem(TextConstants.table, $0) } }
            return new.source == old
                ? [] : [Problem(TextConstants.fileName, "it is not that of \(TextConstants.table)")]
        }
    }

    private static func nearest(
        to key: String, in known: Set<String>, _ written: (String) -> String = { $0 }
    ) -> String {
        Nearest.words(to: key, in: known.sorted()).first.map { "; did you mean \(quoted(written($0)))?" } ?? ""
    }

    static let textArguments = Self("text-arguments", .error) { subject in
        let tables = subject.resources.tables.sorted { $0.key < $1.key }
        return subject.resources.keys.sorted().compactMap { key in
            let found = tables.compactMap { place, table in table[key].map { (place, arguments(in: $0)) } }
            guard let first = found.first, let other = found.first(where: { $0.1 != first.1 }) else { return nil }
            return Problem(other.0, "\(quoted(key)) has \(other.1) {}, but \(first.1) in \(first.0)")
        }
    }

    /// Returns the number of values in a text.
    static func arguments(in text: String) -> Int {
        text.split(separator: "{}", omittingEmptySubsequences: false).count - 1
    }

    /// The texts that catalogs read.
    private static let catalogKeys: Set = ["bundle.name", "bundle.summary"]

    static let textUnused = Self("text-unused", .warning) { subject in
        guard let usage = SourceUsage(of: subject) else { return [] }
        let asked = subject.resources.layouts.values.reduce(into: catalogKeys) { $0.formUnion($1.keys) }
        return subject.resources.keys.subtracting(asked).filter { !usage.mentions($0) }.sorted().map { key in
            let places = subject.resources.tables.filter { $0.value[key] != nil }.keys.sorted()
            return Problem(places.first ?? "", "\(quoted(key)) is not used")
        }
    }
}
