import PluginCore

/// Some of the routes that code has registered; it never changes, so tables of different moments share it.
final class RouteLevel: Sendable {
    let entries: [RouteTable.Entry]
    let entriesByShape: [String: RouteTable.Entry]
    private let search: PatternSearch

    private init(_ entries: [RouteTable.Entry], _ entriesByShape: [String: RouteTable.Entry]) {
        self.entries = entries
        self.entriesByShape = entriesByShape
        search = PatternSearch(entries.map(\.route.pattern))
    }

    /// All entries of levels, and one more, as one level. No two of them have a shape in common.
    convenience init(merging levels: some Collection<RouteLevel>, with entry: RouteTable.Entry) {
        var entriesByShape = levels.first?.entriesByShape ?? [:]
        for level in levels.dropFirst() { entriesByShape.merge(level.entriesByShape) { one, _ in one } }
        for shape in entry.route.pattern.shapes { entriesByShape[shape] = entry }
        self.init(levels.flatMap(\.entries) + [entry], entriesByShape)
    }

    /// Itself when nothing goes, without what goes else; `nil` when nothing is left.
    func removing(_ goes: (RouteTable.Entry) -> Bool) -> RouteLevel? {
        let kept = entries.filter { !goes($0) }
        if kept.count == entries.count { return self }
        return kept.isEmpty ? nil : RouteLevel(kept, entriesByShape.filter { !goes($0.value) })
    }

    /// The routes that match an address, each once, in no order.
    func matches(for uri: ResourceURI) -> [RouteMatch] {
        search.hits(for: uri).map { hit in
            let entry = entries[hit.place]
            return RouteMatch(entry.route, hit.form, lease: entry.lease, uri)
        }
    }
}
