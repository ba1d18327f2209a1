import PluginCore
import PluginRouter

/// Routes that a test collects one by one, none of which may conflict with another.
struct ListedRoutes {
    private(set) var routes: [Route] = []
    private var keys: Set<String> = []

    init() {}

    init(_ patterns: [String], converters: RouteConverters = .standard) throws(AtriumError) {
        for pattern in patterns { try add(RoutePattern(pattern, converters: converters)) }
    }

    /// Adds a route; `value` is what a test tells it by, its pattern unless told otherwise.
    mutating func add(
        _ pattern: RoutePattern, owner: String = "test", priority: Int = 0, value: String? = nil
    ) throws(AtriumError) {
        let route = Route(
            pattern: pattern, kind: .page, owner: owner,
            service: .declared(name: value ?? pattern.text, layout: nil), priority: priority)
        if !keys.isDisjoint(with: pattern.canonicalKeys) { _ = try RouteList(withoutConflicts: routes + [route]) }
        keys.formUnion(pattern.canonicalKeys)
        routes.append(route)
    }

    var list: RouteList { RouteList(routes) }
}

extension RouteList {
    func first(for uri: ResourceURI) -> RouteMatch? { matches(for: uri).first }

    func first(for text: String) throws(AtriumError) -> RouteMatch? { first(for: try ResourceURI(text)) }
}

extension RouteMatch {
    /// The name under which the test has listed the route.
    var value: String {
        guard case .declared(let name, _) = route.service else { return "" }
        return name
    }
}

extension RouteCaptures {
    /// The texts of the captures by name.
    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: values.items.map { ($0.name, $0.value) })
    }
}
