public import PluginCore
public import PluginRouter
internal import SQLite

/// The router and the mediator ask the registry itself, so what manifests declare is never copied into memory.
extension Registry: RouteDirectory, TargetDirectory {
    /// The routes whose pattern has one of these heads.
    public func routes(withHeads heads: [String]) throws(AtriumError) -> [Route] {
        var routes: [Route] = []
        for head in heads {
            routes +=
                try read { database in
                    try database.query(
                        "SELECT pattern, kind, name, layout, guards, owner FROM route WHERE head = ?", head,
                        row: Self.route
                    )
                } ?? []
        }
        return routes
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
