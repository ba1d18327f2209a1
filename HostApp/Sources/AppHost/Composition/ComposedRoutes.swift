internal import FoundationEssentials
public import PluginCore
public import PluginRouter

/// An app's composition with its bundles, its own addresses and their guards, as described by a composition file.
///
/// ```swift
/// let app = try ComposedRoutes(contentsOf: "bundle.json")
/// let manager = try app.manager(showingPagesOn: navigator) { routing in
///     BundleManager(sandbox: sandbox, catalog: catalog, services: services, routing: routing)
/// }
/// ```
public struct ComposedRoutes: Sendable {
    /// The parsed contents of the file.
    let composition: Composition
    /// The rules of all bundles.
    let rules: [ComposedRule]
    /// The rules that map a bundle's first segment to its entry page.
    ///
    /// There is one for each bundle whose rules do not cover that address. Routes of manifests take precedence over them.
    let entries: [ComposedRule]
    private let ruleIndex: PatternIndex
    private let entryIndex: PatternIndex

    init(composition: Composition, rules: [ComposedRule], entries: [ComposedRule]) {
        self.composition = composition
        self.rules = rules
        self.entries = entries
        ruleIndex = PatternIndex(rules.map(\.pattern))
        entryIndex = PatternIndex(entries.map(\.pattern))
    }

    /// The empty composition of an app that consists of whatever is installed.
    public static let none = ComposedRoutes(composition: Composition(), rules: [], entries: [])

    /// Reads a composition file.
    ///
    /// - Parameter converters: the types that captures can be converted to, the same as the manager's.
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, listing every problem, `fileUnknown` or `inputOutput`.
    public init(contentsOf file: FilePath, converters: RouteConverters = .standard) throws(AtriumError) {
        self = try CompositionReader.read(file, converters: converters)
    }

    /// Reads the text of a composition file.
    ///
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, listing every problem.
    public init(text: String, converters: RouteConverters = .standard) throws(AtriumError) {
        self = try CompositionReader.read(Data(text.utf8), of: "bundle.json", converters: converters)
    }

    /// The app's name.
    public var name: String { composition.name }

    /// The address that a session opens at start; `nil` if there is none.
    public var start: String? { composition.start }

    /// The identifier of the bundle with the theme that pages are drawn with; `nil` if there is none.
    public var theme: String? { composition.theme }

    /// Returns the rules that match an address, and how.
    func rules(matching uri: ResourceURI) -> [(rule: ComposedRule, match: PatternMatch)] {
        ruleIndex.matches(for: uri).map { (rules[$0.index], $0) }
    }

    /// Returns the entry rules of the bundles whose first segment is the whole address, and how they match.
    func entries(matching uri: ResourceURI) -> [(rule: ComposedRule, match: PatternMatch)] {
        entryIndex.matches(for: uri).map { (entries[$0.index], $0) }
    }

    /// Returns the identifier of the bundle that owns an address's first segment; `nil` if there is none.
    func member(for uri: ResourceURI) -> String? {
        let firstSegments = RoutePattern.firstSegments(matching: uri)
        return composition.bundles.first { member in
            (try? RoutePattern(member.uri)).map { !Set(firstSegments).isDisjoint(with: $0.firstSegments) } ?? false
        }?.pkg
    }
}
