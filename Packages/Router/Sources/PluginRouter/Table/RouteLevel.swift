import PluginCore

/// Some of the routes that code has registered; it never changes, so the values of a table share it.
final class RouteLevel: Sendable {
    let entries: [RouteTable.Entry]
    let entriesByKey: [String: RouteTable.Entry]
    private let index: PatternIndex

    private init(_ entries: [RouteTable.Entry], _ entriesByKey: [String: RouteTable.Entry]) {
        self.entries = entries
        self.entriesByKey = entriesByKey
        index = PatternIndex(entries.map(\.route.pattern))
    }

    /// All entries of levels, and one more, as one level. No two of them have a canonical key in common.
    convenience init(merging levels: some Collection<RouteLevel>, with entry: RouteTable.Entry) {
        var entriesByKey = levels.first?.entriesByKey ?? [:]
        for level in levels.dropFirst() { entriesByKey.merge(level.entriesByKey) { one, _ in one } }
        for key in entry.route.pattern.canonicalKeys { entriesByKey[key] = entry }
        self.init(levels.flatMap(\.entries) + [entry], entriesByKey)
    }

    /// The level without some of its entries; `nil` when none is left.
    func removing(_ goes: (RouteTable.Entry) -> Bool) -> RouteLevel? {
        let kept = entries.filter { !goes($0) }
        if kept.count == entries.count { return self }
        return kept.isEmpty ? nil : RouteLevel(kept, entriesByKey.filter { !goes($0.value) })
    }

    /// The routes that match an address, each once, in no order.
    func matches(for uri: ResourceURI) -> [RouteMatch] {
        index.matches(for: uri) { match in
            let entry = entries[match.index]
            return RouteMatch(entry.route, match.expansion, match.captures, lease: entry.lease)
        }
    }
}
