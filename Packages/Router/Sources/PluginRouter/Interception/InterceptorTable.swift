import PluginCore

/// The interceptors of the host and of bundles.
struct InterceptorTable: Sendable {
    /// A parsed scope. A route is represented by the canonical keys of its pattern.
    enum Place: Hashable, Sendable {
        case everything
        case scheme(String)
        case bundle(String)
        case canonicalKeys(Set<String>)

        static func route(_ pattern: RoutePattern) -> Place { .canonicalKeys(Set(pattern.canonicalKeys)) }
    }

    struct Entry: Sendable {
        let interceptor: any RouteInterceptor
        let place: Place
        let priority: Int
        /// The bundle whose routes the interceptor is limited to, or nil for all bundles.
        let owner: String?
        let lease: Lease
    }

    private var entries: [Place: [Entry]] = [:]

    /// Adds an interceptor after those of the same scope and priority.
    mutating func insert(
        _ interceptor: any RouteInterceptor, at place: Place, priority: Int, onlyOf owner: String?, under lease: Lease
    ) {
        let entry = Entry(interceptor: interceptor, place: place, priority: priority, owner: owner, lease: lease)
        var here = entries[place] ?? []
        here.insert(entry, at: here.firstIndex { $0.priority < priority } ?? here.endIndex)
        entries[place] = here
    }

    /// The guard actions among the interceptors, as target and action.
    var guards: Set<String> {
        Set(entries.values.joined().compactMap { ($0.interceptor as? RouteGuard)?.name })
    }

    /// Removes the interceptors of a lease.
    mutating func removeAll(under lease: Lease) {
        for (place, here) in entries {
            let kept = here.filter { $0.lease != lease }
            entries[place] = kept.isEmpty ? nil : kept
        }
    }

    /// Returns the interceptors for a route and an address in order: from the widest scope to the narrowest.
    ///
    /// Within a scope, they are sorted by priority and then by registration.
    func applicable(to route: Route, for uri: ResourceURI) -> [Entry] {
        if entries.isEmpty { return [] }
        let places: [Place?] = [
            .everything, uri.scheme.map { .scheme($0) }, .bundle(route.owner), .route(route.pattern),
        ]
        return places.compactMap { $0 }.flatMap { entries[$0] ?? [] }.filter {
            ($0.owner ?? route.owner) == route.owner
        }
    }
}

/// An interceptor or a guard that a request must pass.
struct ApplicableInterceptor: Sendable {
    /// The name of the interceptor, or the guard's action, for lists and errors.
    let name: String
    let place: InterceptorTable.Place
    let owner: String
    /// The interceptor, or nil for a guard.
    var entry: InterceptorTable.Entry?
}

extension [ApplicableInterceptor] {
    /// Returns the interceptors without some that have allowed a request, so that after a wait only the others are asked.
    ///
    /// Interceptors with the same name, scope and owner count as the same one, even if an update has replaced the value. There may be
    /// several of them, so each that has allowed the request removes one.
    func removing(_ passed: Self) -> Self {
        var left = passed
        return filter { one in
            let place = left.firstIndex { $0.name == one.name && $0.place == one.place && $0.owner == one.owner }
            if let place { left.remove(at: place) }
            return place == nil
        }
    }
}
