public import PluginCore
public import PluginRouter
internal import SQLite

/// The route directory of the router, which queries the registry instead of a copy in memory.
extension Registry: RouteDirectory {
    /// Returns the distinct routes whose patterns have one of these first segments.
    public func routes(withFirstSegments firstSegments: [String]) throws(AtriumError) -> [Route] {
        var routes: [Int: Route] = [:]
        for group in try groups(withFirstSegments: firstSegments) {
            for (number, route) in zip(group.numbers, group.list.routes) { routes[number] = route }
        }
        return routes.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the routes that match an address.
    ///
    /// The routes of a first segment are read on first use, and again after any host has written to the registry. The function
    /// is asynchronous only to replace the protocol's default implementation for asynchronous callers, which would read
    /// everything again.
    public func matches(for uri: ResourceURI) async throws(AtriumError) -> [RouteMatch] {
        RouteList.matches(
            in: try groups(withFirstSegments: RoutePattern.firstSegments(matching: uri)).map(\.list), for: uri)
    }

    private func groups(withFirstSegments firstSegments: [String]) throws(AtriumError) -> [RouteCache.Group] {
        try readGeneration { database, generation in
            try firstSegments.map { firstSegment in
                if let kept = routeCache.group(firstSegment, in: generation) { return kept }
                let group = try group(firstSegment, in: database)
                routeCache.store(group, firstSegment, in: generation)
                return group
            }
        } ?? []
    }

    private func group(_ firstSegment: String, in database: Database) throws -> RouteCache.Group {
        let found = try database.query(
            """
            SELECT pattern, kind, name, layout, guards, owner, priority, exposure, deadline, may_decline, number
            FROM route WHERE number IN (SELECT route FROM route_shape WHERE head = ?) ORDER BY number
            """, firstSegment
        ) { (try $0[10, as: Int.self], try route($0)) }
        return RouteCache.Group(numbers: found.map(\.0), list: RouteList(found.map(\.1)))
    }

    /// Returns all routes, for listings.
    public func routes() throws(AtriumError) -> [Route] {
        try read { database in
            try database.query(
                """
                SELECT pattern, kind, name, layout, guards, owner, priority, exposure, deadline, may_decline FROM route
                ORDER BY number
                """
            ) { try route($0) }
        } ?? []
    }

    /// Returns all patterns, sorted.
    public func patterns() throws(AtriumError) -> [String] {
        try read { database in
            try database.query("SELECT pattern FROM route ORDER BY pattern") { try $0[0, as: String.self] }
        } ?? []
    }

    private func route(_ row: borrowing Row) throws -> Route {
        let (pattern, text) = (try row[0, as: String.self], try row[1, as: String.self])
        guard let kind = RouteKind(rawValue: text) else {
            throw AtriumError(.registryDamaged, pattern, detail: "the kind \"\(text)\" cannot be read")
        }
        let guards = try row[4, as: String.self].split(separator: " ").map(String.init)
        let declaration = RouteDeclaration(
            pattern: pattern, kind: kind, name: try row[2], layout: try row[3], guards: guards,
            priority: try row[6], exposure: try Self.exposure(row[7, as: String.self], of: pattern),
            deadline: try row[8], mayDecline: try row[9, as: Int.self] != 0
        )
        let owner = try row[5, as: String.self]
        do {
            return try Route(declaration, owner: owner, converters: converters)
        } catch {
            // A host with other converters has installed it.
            throw AtriumError(error.code, error.subject, detail: "\(error.detail); \(owner) declares it")
        }
    }

    static func exposure(_ text: String, of subject: String) throws -> Exposure {
        guard let exposure = Exposure(rawValue: text) else {
            throw AtriumError(.registryDamaged, subject, detail: "the exposure \"\(text)\" cannot be read")
        }
        return exposure
    }
}
