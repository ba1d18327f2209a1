import PluginCore

/// The order in which routes that match an address are asked; the order of registration never matters.
///
/// Explicit priority decides first, then the leftmost difference, then the bytes of the canonical keys.
enum RouteOrder {
    /// The matches in the order in which they are asked.
    ///
    /// Matches of the same canonical key and priority keep their order: rules of bundle.json before manifests, and both before the
    /// routes that code registers.
    static func sorted(_ matches: SmallArray<RouteMatch>, for uri: ResourceURI) -> SmallArray<RouteMatch> {
        guard matches.count > 1 else { return matches }
        let sorted = matches.enumerated().sorted { one, other in
            let order = compare(one.element, other.element, for: uri)
            return order == 0 ? one.offset < other.offset : order < 0
        }
        return SmallArray(sorted.lazy.map(\.element))
    }

    /// Below zero when `one` is asked before `other`; zero for the same canonical key and priority.
    static func compare(_ one: RouteMatch, _ other: RouteMatch, for uri: ResourceURI) -> Int {
        if one.route.priority != other.route.priority { return one.route.priority > other.route.priority ? -1 : 1 }
        return RoutePattern.Expansion.order(one.expansion, other.expansion, ignoringCase: uri.hasAuthority)
    }
}
