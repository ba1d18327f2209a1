import PluginCore

/// The order in which routes that match an address are asked: explicit priority, then the leftmost difference.
enum RouteOrder {
    /// The routes that match, the one that is asked first in front. Between equals the declared ones come first, in the
    /// directory's order: it has the rules of bundle.json before the manifests.
    static func sorted(_ declared: [Route], _ coded: [RouteTable.Entry], for uri: ResourceURI) -> [RouteMatch] {
        let all = declared.map { ($0, nil) } + coded.map { ($0.route, Optional($0.lease)) }
        let matches = all.compactMap { route, lease in
            route.pattern.form(matching: uri).map {
                RouteMatch(route: route, captures: $0.captures(from: uri), form: $0, lease: lease)
            }
        }
        let sorted = matches.enumerated().sorted { one, other in
            let order = compare(one.element, other.element, for: uri)
            return order == 0 ? one.offset < other.offset : order < 0
        }
        return sorted.map(\.element)
    }

    /// Below zero when `one` is asked before `other`; zero when nothing but who came first decides.
    static func compare(_ one: RouteMatch, _ other: RouteMatch, for uri: ResourceURI) -> Int {
        if one.route.priority != other.route.priority { return one.route.priority > other.route.priority ? -1 : 1 }
        return RoutePattern.Form.order(one.form, other.form, ignoringCase: uri.hasAuthority)
    }
}
