package import Authoring
package import PageLayouts
import BundleFormat
package import PluginCore
package import Preflight

/// Everything that the rules know about a plugin. Rules for what is unknown find nothing.
package struct LintSubject: Sendable {
    /// The reasons for which a plugin cannot be packed or installed, by the code of their rule.
    package var refusals: [String: [LintRule.Problem]] = [:]
    /// The uses of deprecated API in the code, as the compiler has found them.
    package var deprecated: [LintRule.Problem] = []
    /// The complete manifest, or nil for one that is not valid.
    package var manifest: Manifest?
    package var resources = PluginResources()
    /// The files of the package.
    package var files: [(name: String, size: Int)] = []
    /// The size of the package in bytes.
    package var size = 0
    /// The names and debug information of the libraries by their file names.
    package var libraries: [String: LibrarySymbols] = [:]
    /// The contents of the source files, or nil if only the package is known.
    package var sources: [String]?
    /// The parameters of routes and actions, or nil if the code was not asked.
    package var inputs: [InputDeclaration]?
    /// The events that the code declares, or nil if it was not asked.
    package var events: [EventDeclaration]?
    /// The newest published release before this version, or nil if there is none.
    package var published: PublishedVersion?
    /// A Boolean value that indicates whether the same version is published with other content.
    package var isVersionReused = false
    /// The newest version of each other bundle of the catalog, or nil without a catalog.
    package var catalog: [CatalogBundle]?
    /// The manifests of the packages that were named as dependencies.
    package var dependencies: [Manifest] = []

    package init() {}

    /// The contents of the source files that the author writes.
    var code: [String]? { sources?.filter { !TextConstants.isGenerated($0) } }
}

/// The last published version of a plugin.
package struct PublishedVersion: Sendable {
    package let manifest: Manifest
    /// The names that its library exports, or nil for a bundle without a library for this platform.
    package let symbols: LibrarySymbols?
    /// The parameters of its routes and actions, or nil if its code could not be asked.
    package let inputs: [InputDeclaration]?
    /// The events that its code declares, or nil if it could not be asked.
    package let events: [EventDeclaration]?

    package init(
        manifest: Manifest, symbols: LibrarySymbols?, inputs: [InputDeclaration]? = nil,
        events: [EventDeclaration]? = nil
    ) {
        (self.manifest, self.symbols) = (manifest, symbols)
        (self.inputs, self.events) = (inputs, events)
    }
}

/// The newest version of another bundle in the catalog.
package struct CatalogBundle: Sendable {
    package let manifest: Manifest
    /// The names that its libraries import.
    package let imported: Set<String>

    package init(manifest: Manifest, imported: Set<String> = []) {
        self.manifest = manifest
        self.imported = imported
    }
}

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
    /// All elements, also those in sections.
    private var elements: [PageLayout.Element] { content.flatMap(\.withContent) }

    /// All rows.
    var rows: [PageLayout.Row] {
        elements.flatMap { element -> [PageLayout.Row] in if case .rows(let rows) = element { rows } else { [] } }
    }

    /// All images.
    var images: [PageLayout.LayoutImage] {
        rows.compactMap(\.image) + elements.compactMap { if case .image(let image) = $0 { image } else { nil } }
    }
}

extension PageLayout.Element {
    /// The element, and all that it contains.
    fileprivate var withContent: [Self] {
        if case .section(_, let content) = self { [self] + content.flatMap(\.withContent) } else { [self] }
    }
}

extension PageLayout {
    /// The keys of the string table that the pages refer to.
    var keys: Set<String> { Set(Self.texts(in: pages).filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }) }

    /// Returns all texts in a value, however deep. Those that are no texts for users do not begin with `@`.
    private static func texts(in value: Any) -> [String] {
        if let text = value as? String { return [text] }
        return Mirror(reflecting: value).children.flatMap { texts(in: $0.value) }
    }
}

/// The string literals of a plugin's code and JSON files, by which unused texts and pages are found.
struct SourceUsage {
    private let texts: [String]
    /// The beginnings of composed names: any name with such a beginning may be used.
    private let beginnings: Set<String>
    /// The names of members that the code uses, if there are constants of the texts.
    private let members: Set<Substring>

    /// Collects the literals.
    ///
    /// - Returns: `nil` for a bundle with code whose sources are not known, or whose code composes names from their beginning on.
    init?(of subject: LintSubject) {
        guard let manifest = subject.manifest, manifest.libraries.isEmpty || subject.sources != nil else { return nil }
        texts = (subject.code ?? []) + subject.resources.documents
        let hasConstants = subject.code?.count != subject.sources?.count
        members = hasConstants ? Set(texts.flatMap { $0.matches(of: /\.(\w+)/).map(\.1) }) : []
        var beginnings: Set<String> = []
        for text in subject.code ?? [] {
            if text.contains(#"string("\("#) { return nil }
            beginnings.formUnion(Self.beginnings(in: text))
        }
        self.beginnings = beginnings
    }

    /// Returns code without the lines that are comments.
    static func withoutComments(_ code: String) -> String {
        code.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
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
        beginnings.contains(where: name.hasPrefix) || members.contains(TextConstants.name(of: name)[...])
            || texts.contains { $0.contains("\"\(name)\"") || $0.contains("\"@\(name)\"") }
    }
}
