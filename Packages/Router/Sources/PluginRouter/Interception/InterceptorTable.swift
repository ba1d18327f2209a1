import PluginCore

/// The interceptors that host and bundles have put before routes: a value that a writer replaces.
struct InterceptorTable: Sendable {
    /// A scope, read: routes by the shapes of their pattern.
    enum Place: Hashable, Sendable {
        case everything
        case scheme(String)
        case bundle(String)
        case shapes(Set<String>)

        static func route(_ pattern: RoutePattern) -> Place { .shapes(Set(pattern.shapes)) }
    }

    struct Entry: Sendable {
        let interceptor: any RouteInterceptor
        let place: Place
        let priority: Int
        /// The bundle whose routes it is for; `nil` for those of all.
        let owner: String?
        let lease: Lease
    }

    private var entries: [Place: [Entry]] = [:]

    /// Adds an interceptor behind those of its priority in the same place.
    mutating func insert(
        _ interceptor: any RouteInterceptor, at place: Place, priority: Int, onlyOf owner: String?, under lease: Lease
    ) {
        let entry = Entry(interceptor: interceptor, place: place, priority: priority, owner: owner, lease: lease)
        var here = entries[place] ?? []
        here.insert(entry, at: here.firstIndex { $0.priority < priority } ?? here.endIndex)
        entries[place] = here
    }

    /// The actions that are asked before routes, as `Target.action`.
    var guards: Set<String> {
        Set(entries.values.joined().compactMap { ($0.interceptor as? RouteGuard)?.name })
    }

    /// Takes away everything that the lease holds.
    mutating func removeAll(under lease: Lease) {
        for (place, here) in entries {
            let kept = here.filter { $0.lease != lease }
            entries[place] = kept.isEmpty ? nil : kept
        }
    }

    /// Who stands before a route for an address, in the order in which they are asked: from the widest scope to the
    /// narrowest, in each by priority, and then who came first.
    func standing(before route: Route, for uri: ResourceURI) -> [Entry] {
        if entries.isEmpty { return [] }
        let places: [Place?] = [
            .everything, uri.scheme.map { .scheme($0) }, .bundle(route.owner), .route(route.pattern),
        ]
        return places.compactMap { $0 }.flatMap { entries[$0] ?? [] }.filter {
            ($0.owner ?? route.owner) == route.owner
        }
    }
}
