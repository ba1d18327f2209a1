public import PluginCore
public import PluginRouter
internal import SQLite

/// The router and the mediator ask the registry itself, so what manifests declare is never copied into memory.
extension Registry: RouteDirectory, TargetDirectory {
    /// The routes whose pattern has one of these heads, each once.
    public func routes(withHeads heads: [String]) throws(AtriumError) -> [Route] {
        var routes: [Int: Route] = [:]
        for head in heads {
            let found =
                try read { database in
                    try database.query(
                        """
                        SELECT pattern, kind, name, layout, guards, owner, number FROM route
                        WHERE number IN (SELECT route FROM route_shape WHERE head = ?)
                        """, head
                    ) { (try $0[6, as: Int.self], try Self.route($0)) }
                } ?? []
            for (number, route) in found { routes[number] = route }
        }
        return routes.sorted { $0.key < $1.key }.map(\.value)
    }

    /// All routes, for listings.
    public func routes() throws(AtriumError) -> [Route] {
        try read { database in
            try database.query(
                "SELECT pattern, kind, name, layout, guards, owner, number FROM route ORDER BY number"
            ) { try Self.route($0) }
        } ?? []
    }

    /// All patterns, sorted.
    public func patterns() throws(AtriumError) -> [String] {
        try read { database in
            try database.query("SELECT pattern FROM route ORDER BY pattern") { try $0[0, as: String.self] }
        } ?? []
    }

    /// The bundle that declares a target.
    public func owner(ofTarget name: String) throws(AtriumError) -> String? {
        try read { database in
            try database.value("SELECT owner FROM target WHERE name = ?", name, as: String.self)
        } ?? nil
    }

    /// All target names, sorted.
    public func targets() throws(AtriumError) -> [String] {
        try read { database in
            try database.query("SELECT name FROM target ORDER BY name") { try $0[0, as: String.self] }
        } ?? []
    }

    private static func route(_ row: borrowing Row) throws -> Route {
        let (pattern, text) = (try row[0, as: String.self], try row[1, as: String.self])
        guard let kind = RouteKind(rawValue: text) else {
            throw AtriumError(.registryDamaged, pattern, detail: "the kind \"\(text)\" can not be read")
        }
        let guards = try row[4, as: String.self].split(separator: " ").map(String.init)
        return try Route(
            RouteDeclaration(
                pattern: pattern, kind: kind, name: try row[2], layout: try row[3], guards: guards
            ),
            owner: try row[5]
        )
    }
}
