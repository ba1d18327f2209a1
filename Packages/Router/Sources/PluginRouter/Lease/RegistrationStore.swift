public import PluginCore
import Synchronization

/// The registrations of all loaded code, shared by router, mediator, services and events, so that those of a bundle are removed in one
/// step.
public final class RegistrationStore: Sendable {
    private let registrations = Mutex(Registrations())

    /// Creates an empty store.
    public init() {}

    /// Returns the current registrations.
    func load() -> Registrations { registrations.withLock { $0 } }

    /// Returns a target. Every call needs it, so it is read without retaining the tables.
    func target(named name: String) -> BoundTarget? { registrations.withLock { $0.targets[name] } }

    /// Returns the registered routes that match an address.
    func routes(matching uri: ResourceURI) -> [RouteMatch] {
        registrations.withLock { $0.routes }.matches(for: uri)
    }

    /// Changes the registrations.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` if the lease is revoked, and the errors of `body`. In both cases, nothing
    ///   changes.
    func update<R: Sendable>(
        under lease: Lease, _ body: (inout Registrations) throws(AtriumError) -> R
    ) throws(AtriumError) -> R {
        try change { registrations throws(AtriumError) in
            // Revoking also goes through `change`, which serializes writers, so nothing can be added for a revoked lease.
            guard !lease.isRevoked else { throw .unloaded(lease.owner) }
            return try body(&registrations)
        }
    }

    /// Removes a registration. This needs no lease.
    func remove(_ body: (inout Registrations) -> Void) {
        change { body(&$0) }
    }

    /// Revokes a lease: removes all its registrations in one step and rejects new calls.
    public func revoke(_ lease: Lease) {
        change { registrations in
            lease.revoke()
            registrations.removeAll(under: lease)
        }
        lease.tellRevoked()
    }

    private func change<R: Sendable, E: Error>(_ body: (inout Registrations) throws(E) -> R) throws(E) -> R {
        // The old registrations are released outside of the lock: the end of a registered object may run code that registers.
        let (result, _) = try registrations.withLock { registrations throws(E) in
            var changed = registrations
            let result = try body(&changed)
            swap(&changed, &registrations)
            return (result, changed)
        }
        return result
    }
}

/// The registrations of all loaded code, as a value: readers see a consistent snapshot.
struct Registrations {
    /// The routes that are registered in code.
    var routes = RouteList([])
    /// The targets that the mediator has looked up and cached, by name.
    var targets: [String: BoundTarget] = [:]
    /// The number of removals from the cache. A target that was looked up before the latest removal is not cached.
    private(set) var releases = 0
    /// The services that code provides, by name.
    var services: [String: ProvidedService] = [:]
    /// The observers of all events in the order of delivery.
    var observers: [Observer] = []
    /// The interceptors of routes, in the order of their priorities.
    private var interceptors: [RegisteredInterceptor] = []
    /// The fallbacks for addresses that no route handles.
    var fallbacks: [RegisteredFallback] = []

    /// Removes a target from the cache. Its bundle remains loaded.
    mutating func release(_ target: String) {
        targets[target] = nil
        releases += 1
    }

    /// Adds an interceptor after those of the same priority.
    ///
    /// The target of a guard is removed from the cache, so that its action is marked as a guard.
    mutating func intercept(_ added: RegisteredInterceptor) {
        let place = interceptors.firstIndex { $0.priority < added.priority }
        interceptors.insert(added, at: place ?? interceptors.endIndex)
        if let call = (added.interceptor as? RouteGuard)?.call { release(call.target) }
    }

    /// The guard actions among the interceptors, as target and action.
    var guards: Set<String> { Set(interceptors.compactMap { ($0.interceptor as? RouteGuard)?.name }) }

    /// Returns the interceptors for a route and an address in order: from the widest scope to the narrowest.
    ///
    /// Within a scope, they are sorted by priority and then by registration.
    func interceptors(of route: Route, for uri: ResourceURI) -> [RegisteredInterceptor] {
        if interceptors.isEmpty { return [] }
        let scopes: [InterceptorScope?] = [
            .everything, uri.scheme.map { .scheme($0) }, .bundle(route.owner), .route(route.pattern.canonicalKey),
        ]
        return scopes.flatMap { scope in
            interceptors.filter { $0.scope == scope && ($0.owner ?? route.owner) == route.owner }
        }
    }

    /// Removes all registrations of a lease.
    mutating func removeAll(under lease: Lease) {
        routes.removeAll { $0.code?.lease == lease }
        targets = targets.filter { $0.value.lease != lease }
        services = services.filter { $0.value.lease != lease }
        observers.removeAll { $0.lease == lease }
        interceptors.removeAll { $0.lease == lease }
    }
}

extension RegistrationStore {
    /// Throws an error if a route of a manifest conflicts with a route of the app or of the host's code.
    ///
    /// Conflicts between manifests are checked elsewhere, and a route that a bundle's code has registered comes after another bundle's
    /// manifest. This must be called before a version becomes active.
    ///
    /// - Parameters:
    ///   - manifest: The manifest. Routes of its own bundle are ignored.
    ///   - rules: The app's own routes, such as the rules of `bundle.json`.
    ///   - converters: The types of captures.
    /// - Throws: ``AtriumError`` with code `routeConflict`, which names both owners and an address, or `patternMalformed`.
    public func requireFree(
        _ manifest: Manifest, besides rules: [Route] = [], converters: RouteConverters = .standard
    ) throws(AtriumError) {
        let owner = manifest.identity.identifier.text
        let hosts = load().routes.routes.filter { $0.code?.lease.bundle == nil }
        let taken = RouteList((rules + hosts).filter { $0.owner != owner })
        if taken.routes.isEmpty { return }
        for declaration in manifest.routes {
            try taken.requireFree(RoutePattern(declaration.pattern, converters: converters), of: owner)
        }
    }
}
