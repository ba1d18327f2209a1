internal import FoundationEssentials
public import PluginCore
public import PluginRouter

/// An app's composition, as `bundle.json` describes it: its bundles, its own addresses, and what must hold before them.
///
/// ```swift
/// let app = try ComposedRoutes(contentsOf: "bundle.json")
/// let (router, mediator) = try await app.connect(manager, to: navigator)
/// ```
public struct ComposedRoutes: Sendable {
    /// The app's parts.
    let composition: Composition
    /// The rules that it has.
    let rules: [ComposedRule]
    /// For each bundle without a rule for its `uri` alone: that it leads to the bundle's entry page. Behind what manifests
    /// say.
    let entries: [ComposedRule]
    private let ruleSearch: PatternSearch
    private let entrySearch: PatternSearch

    init(composition: Composition, rules: [ComposedRule], entries: [ComposedRule]) {
        self.composition = composition
        self.rules = rules
        self.entries = entries
        ruleSearch = PatternSearch(rules.map(\.pattern))
        entrySearch = PatternSearch(entries.map(\.pattern))
    }

    /// An app that is made of whatever is installed.
    public static let none = ComposedRoutes(composition: Composition(), rules: [], entries: [])

    /// Reads a `bundle.json`.
    ///
    /// - Parameter converters: the types that captures can ask for, as the manager has them.
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, every problem included, `fileUnknown` or `inputOutput`.
    public init(contentsOf file: FilePath, converters: RouteConverters = .standard) throws(AtriumError) {
        self = try CompositionReader.read(file, converters: converters)
    }

    /// Reads the text of a `bundle.json`.
    ///
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, every problem included.
    public init(text: String, converters: RouteConverters = .standard) throws(AtriumError) {
        self = try CompositionReader.read(Data(text.utf8), of: "bundle.json", converters: converters)
    }

    /// The app's name.
    public var name: String { composition.name }

    /// The address that a session starts with; `nil` for none.
    public var start: String? { composition.start }

    /// The bundle that holds the theme pages are drawn with; `nil` for none.
    public var theme: String? { composition.theme }

    /// The rules that match an address.
    func rules(matching uri: ResourceURI) -> [ComposedRule] {
        ruleSearch.places(matching: uri).map { rules[$0] }
    }

    /// The bundles whose `uri` alone an address is, where no rule says where it leads.
    func entries(matching uri: ResourceURI) -> [ComposedRule] {
        entrySearch.places(matching: uri).map { entries[$0] }
    }

    /// The bundle whose addresses start like `uri`, or `nil`.
    func member(for uri: ResourceURI) -> String? {
        let heads = RoutePattern.heads(matching: uri)
        return composition.bundles.first { member in
            (try? RoutePattern(member.uri)).map { !Set(heads).isDisjoint(with: $0.heads) } ?? false
        }?.pkg
    }
}
