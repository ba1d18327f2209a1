public import PluginCore
public import PluginRouter
internal import SQLite
internal import Synchronization

/// The table of routes, with the expansions of their patterns; the router queries it instead of a copy in memory.
public struct RouteTable: RouteDirectory {
    let connection: RegistryConnection
    private var converters: RouteConverters { connection.registry.converters }

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
        let cache = connection.registry.routeCache
        return try connection.registry.readGeneration { database, generation in
            try firstSegments.map { firstSegment in
                if let kept = cache.group(firstSegment, in: generation) { return kept }
                let group = try group(firstSegment, in: database)
                cache.store(group, firstSegment, in: generation)
                return group
            }
        } ?? []
    }

    private func group(_ firstSegment: String, in database: Database) throws -> RouteCache.Group {
        let found = try database.query(
            """
            SELECT * FROM route WHERE number IN (SELECT route FROM route_expansion WHERE first_segment = ?) ORDER BY number
            """, firstSegment
        ) { (number: try $0["number", as: Int.self], route: try route($0)) }
        return RouteCache.Group(numbers: found.map(\.number), list: RouteList(found.map(\.route)))
    }

    /// Returns all routes, for listings.
    public func all() throws(AtriumError) -> [Route] {
        try connection.query("SELECT * FROM route ORDER BY number", row: route)
    }

    /// Returns all patterns, sorted.
    public func patterns() throws(AtriumError) -> [String] {
        try connection.query("SELECT pattern FROM route ORDER BY pattern") { try $0["pattern"] }
    }

    /// Returns whether the active versions of two bundles are signed by the same team.
    public func isSameTeam(_ owner: String, _ other: String) throws(AtriumError) -> Bool {
        guard let owner = BundleIdentifier(owner), let other = BundleIdentifier(other) else { return false }
        let teams = try connection.registry.active.versions(of: [owner, other]).mapValues(\.seal.team)
        return teams[owner] != nil && teams[owner] == teams[other]
    }

    private func route(_ row: borrowing Row) throws -> Route {
        let (pattern, owner) = (try row["pattern", as: String.self], try row["owner", as: BundleIdentifier.self])
        let declaration = RouteDeclaration(
            pattern: pattern, kind: try row.parse("kind", of: pattern) { RouteKind(rawValue: $0) },
            name: try row["name"], layout: try row["layout"],
            guards: try row["guards", as: String.self].split(separator: " ").map(String.init),
            priority: try row["priority"],
            exposure: try row.parse("exposure", of: pattern) { Exposure(rawValue: $0) },
            deadline: try row["deadline"], mayDecline: try row["may_decline"])
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
            let holder = try connection.first(
                """
                SELECT owner, pattern FROM route_expansion JOIN route ON number = route
                WHERE canonical_key = ? AND owner <> ?
                """, expansion.canonicalKey, identifier
            ) { (owner: try $0["owner", as: String.self], pattern: try $0["pattern", as: String.self]) }
            guard let holder else { continue }
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
            """
            INSERT INTO route (pattern, kind, name, layout, guards, owner, priority, exposure, deadline, may_decline)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
            """,
            declaration.pattern, declaration.kind.rawValue, declaration.name, declaration.layout,
            declaration.guards.joined(separator: " "), identifier, declaration.priority,
            declaration.exposure.rawValue, declaration.deadline, declaration.mayDecline)
        for expansion in pattern.expansions {
            try connection.execute(
                "INSERT INTO route_expansion (canonical_key, first_segment, route) VALUES (?, ?, ?)",
                expansion.canonicalKey, expansion.firstSegment, number)
        }
    }

    /// Removes all routes of a bundle.
    func removeAll(of identifier: BundleIdentifier) throws(AtriumError) {
        try connection.execute(
            "DELETE FROM route_expansion WHERE route IN (SELECT number FROM route WHERE owner = ?)", identifier)
        try connection.execute("DELETE FROM route WHERE owner = ?", identifier)
    }
}

/// A cache of the routes by first segment, valid for one generation of the registry.
///
/// Its size is limited by the number of routes, in two halves: a group that is used moves to the younger half. When that is
/// full it becomes the older half, and the previous older half is discarded.
final class RouteCache: Sendable {
    /// The routes with the same first segment.
    struct Group: Sendable {
        /// The row numbers of the routes, in order.
        let numbers: [Int]
        let list: RouteList

        /// The cost in the cache; an empty group costs something too, because external links may have any first segment.
        var cost: Int { max(1, numbers.count) }
    }

    private struct State {
        var generation: RegistryGeneration?
        var young: [String: Group] = [:]
        var old: [String: Group] = [:]
        var youngCost = 0
    }

    /// The maximum number of routes in each half; a larger group isn't cached.
    static let room = 16_384

    private let room: Int
    private let state = Mutex(State())

    init(room: Int = RouteCache.room) {
        self.room = room
    }

    /// The number of cached routes, where an empty group counts as one.
    var cost: Int { state.withLock { ($0.young.values.map(\.cost) + $0.old.values.map(\.cost)).reduce(0, +) } }

    /// Returns the routes of a first segment, as cached in a generation.
    ///
    /// - Returns: `nil` when they have to be read.
    func group(_ firstSegment: String, in generation: RegistryGeneration) -> Group? {
        state.withLock { state in
            guard state.generation == generation else { return nil }
            if let group = state.young[firstSegment] { return group }
            guard let group = state.old.removeValue(forKey: firstSegment) else { return nil }
            put(group, firstSegment, &state)
            return group
        }
    }

    /// Caches routes that were read after the generation was determined.
    func store(_ group: Group, _ firstSegment: String, in generation: RegistryGeneration) {
        guard group.cost <= room else { return }
        state.withLock { state in
            if state.generation != generation { state = State(generation: generation) }
            state.old[firstSegment] = nil
            put(group, firstSegment, &state)
        }
    }

    private func put(_ group: Group, _ firstSegment: String, _ state: inout State) {
        if state.youngCost + group.cost > room { (state.old, state.young, state.youngCost) = (state.young, [:], 0) }
        if let before = state.young.updateValue(group, forKey: firstSegment) { state.youngCost -= before.cost }
        state.youngCost += group.cost
    }
}
