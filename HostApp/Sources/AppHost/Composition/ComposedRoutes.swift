import PluginCore
import PluginRouter

/// A composition with the rules of its bundles.
struct ComposedRoutes: Sendable {
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
    static let none = ComposedRoutes(composition: Composition(), rules: [], entries: [])

    /// The address that a session starts with; `nil` for none.
    var start: String? { composition.start }

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
