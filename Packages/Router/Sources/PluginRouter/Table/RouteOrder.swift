import PluginCore

/// The order in which routes that match an address are asked: explicit priority, then the leftmost difference, then the bytes
/// of the shapes. Who was registered first never matters.
enum RouteOrder {
    /// The matches, the one that is asked first in front. Of the same shape and priority stay as they stand: rules of
    /// bundle.json before manifests, and both before what code registers.
    static func sorted(_ matches: [RouteMatch], for uri: ResourceURI) -> [RouteMatch] {
        guard matches.count > 1 else { return matches }
        let sorted = matches.enumerated().sorted { one, other in
            let order = compare(one.element, other.element, for: uri)
            return order == 0 ? one.offset < other.offset : order < 0
        }
        return sorted.map(\.element)
    }

    /// Those of all routes that match, found by trying each.
    static func sorted(_ declared: [Route], _ coded: [RouteTable.Entry], for uri: ResourceURI) -> [RouteMatch] {
        let all = declared.map { ($0, nil) } + coded.map { ($0.route, Optional($0.lease)) }
        let matches = all.compactMap { route, lease in
            route.pattern.form(matching: uri).map { RouteMatch(route, $0, lease: lease, uri) }
        }
        return sorted(matches, for: uri)
    }

    /// Below zero when `one` is asked before `other`; zero for the same shape and priority.
    static func compare(_ one: RouteMatch, _ other: RouteMatch, for uri: ResourceURI) -> Int {
        if one.route.priority != other.route.priority { return one.route.priority > other.route.priority ? -1 : 1 }
        return RoutePattern.Form.order(one.form, other.form, ignoringCase: uri.hasAuthority)
    }
}
