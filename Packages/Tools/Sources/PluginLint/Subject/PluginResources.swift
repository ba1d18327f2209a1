package import PluginCore

/// The resources of a plugin, as far as rules look at them.
package struct PluginResources: Sendable {
    /// The paths of all files below `Resources`.
    package var names: [String] = []
    /// The string tables by their paths, such as `Resources/en.lproj/Localizable.json`.
    package var tables: [String: [String: String]] = [:]
    /// The page layouts by their paths, such as `Resources/Pages/help.json`.
    package var layouts: [String: PageLayout] = [:]
    /// The contents of other JSON files, which can refer to texts.
    package var documents: [String] = []
    /// The content of `Resources/icon.png`, or nil if there is none.
    package var icon: [UInt8]?

    package init() {}

    /// The keys of all texts in any language.
    var keys: Set<String> { tables.values.reduce(into: []) { $0.formUnion($1.keys) } }
}

extension PageLayout.Screen {
    /// All texts and keys that a user sees.
    var texts: [String] {
        [title] + (actions ?? []).map(\.title)
            + content.flatMap { element -> [String] in
                switch element {
                case .heading(let text), .text(let text): [text]
                case .field(let label, let value): [label, value]
                case .rows(let rows): rows.flatMap { [$0.title, $0.detail ?? ""] }
                case .divider: []
                @unknown default: []
                }
            }
    }
}

extension PageLayout {
    /// The keys of the string table that the pages refer to.
    var keys: Set<String> {
        Set(pages.values.flatMap(\.texts).filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) })
    }
}
