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
        let actionTexts: [String] = (actions ?? []).flatMap(\.texts)
        return [title] + actionTexts + content.flatMap(\.texts)
    }

    /// All rows.
    var rows: [PageLayout.Row] { content.flatMap(\.rows) }

    /// All images.
    var images: [PageLayout.LayoutImage] { content.flatMap(\.images) }
}

extension PageLayout.LayoutAction {
    fileprivate var texts: [String] { [title] + (fields ?? []).flatMap(\.texts) }
}

extension PageLayout.LayoutField {
    fileprivate var texts: [String] {
        let titles: [String] = (choices ?? []).compactMap(\.title)
        return [label, initial ?? ""] + titles
    }
}

extension PageLayout.Element {
    /// All texts and keys that a user sees.
    fileprivate var texts: [String] {
        switch self {
        case .heading(let text), .text(let text): [text]
        case .field(let label, let value): [label, value]
        case .rows(let rows): rows.flatMap { [$0.title, $0.detail ?? "", $0.image?.text ?? ""] }
        case .image(let image): [image.text]
        case .progress(let label, _): [label]
        case .section(let title, let content): [title] + content.flatMap(\.texts)
        case .divider, .slot: []
        @unknown default: []
        }
    }

    fileprivate var rows: [PageLayout.Row] {
        switch self {
        case .rows(let rows): rows
        case .section(_, let content): content.flatMap(\.rows)
        default: []
        }
    }

    fileprivate var images: [PageLayout.LayoutImage] {
        switch self {
        case .rows(let rows): rows.compactMap(\.image)
        case .image(let image): [image]
        case .section(_, let content): content.flatMap(\.images)
        default: []
        }
    }
}

extension PageLayout {
    /// The keys of the string table that the pages refer to.
    var keys: Set<String> {
        Set(pages.values.flatMap(\.texts).filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) })
    }
}
