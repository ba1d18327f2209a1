public import PluginCore
public import PluginRouter
import SQLite

/// The table of routes, with the expansions of their patterns; the router queries it instead of a copy in memory.
public struct RouteTable: RouteDirectory {
    let connection: RegistryConnection
    private var converters: RouteConverters { connection.registry.converters }

    /// Returns the distinct routes whose patterns have one of these first segments.
    public func routes(withFirstSegments firstSegments: [String]) throws(AtriumError) -> [Route] {
        try connection.withDatabase { try routes(withFirstSegments: firstSegments, in: $0) } ?? []
    }

    /// Returns the routes that match an address.
    ///
    /// The routes of a first segment are read on first use, and again after any host has written to the registry. The function
    /// is asynchronous only to replace the protocol's default implementation for asynchronous callers, which would read
    /// everything again.
    public func matches(for uri: ResourceURI) async throws(AtriumError) -> [RouteMatch] {
        let cache = connection.registry.routeCache
        let lists = try connection.registry.readGeneration { database, generation in
            try RoutePattern.firstSegments(matching: uri).map { firstSegment in
                if let kept = cache.value(of: firstSegment, in: generation) { return kept }
                let list = RouteList(try routes(withFirstSegments: [firstSegment], in: database))
                // An empty list costs something too, because external links may have any first segment.
                cache.store(list, for: firstSegment, cost: max(1, list.routes.count), in: generation)
                return list
            }
        }
        return RouteList.matches(in: lists ?? [], for: uri)
    }

    private func routes(withFirstSegments firstSegments: [String], in database: Database) throws -> [Route] {
        try database.query(
            """
            SELECT * FROM route WHERE number IN (
                SELECT route FROM route_expansion WHERE first_segment IN (SELECT value FROM json_each(?)))
            ORDER BY number
            """, RecordJSON.text(of: firstSegments), row: route)
    }

    /// Returns all routes, for listings.
    public func all() throws(AtriumError) -> [Route] {
        try connection.query("SELECT * FROM route ORDER BY number", row: route)
    }

    /// Returns all patterns, sorted.
    public func patterns() throws(AtriumError) -> [String] {
        try connection.query("SELECT json ->> 'pattern' AS pattern FROM route ORDER BY pattern") { try $0["pattern"] }
    }

    /// Returns whether the active versions of two bundles are signed by the same team.
    public func isSameTeam(_ owner: String, _ other: String) throws(AtriumError) -> Bool {
        guard let owner = BundleIdentifier(owner), let other = BundleIdentifier(other) else { return false }
        let teams = try connection.registry.active.versions(of: [owner, other]).mapValues(\.seal.team)
        return teams[owner] != nil && teams[owner] == teams[other]
    }

    private func route(_ row: borrowing Row) throws -> Route {
        let owner: BundleIdentifier = try row["owner"]
        let declaration: RouteDeclaration = try row.record(of: owner)
        do {
            return try Route(declaration, owner: owner.text, converters: converters)
        } catch {
            // A host with other converters has installed it.
            throw AtriumError(
                error.code, error.subject, reason: "declaredBy",
                ["problem": .reason(error.reason ?? .error(error)), "owner": .text(owner)])
        }
    }

    /// Checks that no other bundle has a route that matches the same addresses.
    ///
    /// - Returns: The parsed pattern.
    /// - Throws: ``AtriumError`` with code `routeConflict`.
    @discardableResult
    func requireFree(
        _ declaration: RouteDeclaration, for identifier: BundleIdentifier
    ) throws(AtriumError) -> RoutePattern {
        let pattern = try RoutePattern(declaration.pattern, converters: converters)
        for expansion in pattern.expansions {
            let holders = try connection.query(
                """
                SELECT owner, json ->> 'pattern' AS pattern FROM route_expansion JOIN route ON number = route
                WHERE canonical_key = ? AND owner <> ?
                """, expansion.canonicalKey, identifier
            ) { (owner: try $0["owner", as: String.self], pattern: try $0["pattern", as: String.self]) }
            guard let holder = holders.first else { continue }
            throw AtriumError(
                .routeConflict, declaration.pattern,
                reason: "routesConflict",
                [
                    "owner": .text(identifier), "other": .text(holder.owner), "pattern": .text(holder.pattern),
                    "conflict": .reason(expansion.conflict),
                ])
        }
        return pattern
    }

    /// Adds a route of a bundle.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`.
    func add(_ declaration: RouteDeclaration, of identifier: BundleIdentifier) throws(AtriumError) {
        let pattern = try requireFree(declaration, for: identifier)
        let number: Int? = try connection.value(
            "INSERT INTO route (owner, json) VALUES (?, ?) RETURNING number", identifier,
            RecordJSON.text(of: declaration))
        for expansion in pattern.expansions {
            try connection.execute(
                "INSERT INTO route_expansion (canonical_key, first_segment, route) VALUES (?, ?, ?)",
                expansion.canonicalKey, expansion.firstSegment, number)
        }
    }
}
