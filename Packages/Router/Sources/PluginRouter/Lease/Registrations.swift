import PluginCore

/// The registrations of all loaded code, as a value: readers see a consistent snapshot.
struct Registrations: Sendable {
    /// The routes that are registered in code.
    var routes = RouteTable()
    /// The targets that the mediator has looked up.
    var targets = TargetTable()
    /// The services that code provides.
    var services = ServiceTable()
    /// The observers of events.
    var observers = ObserverTable()
    /// The interceptors of routes.
    var interceptors = InterceptorTable()
    /// The fallbacks for addresses that no route handles.
    var fallbacks = FallbackTable()

    /// Adds an interceptor. The target of a guard is removed from the cache, so that its action is marked as a guard.
    mutating func intercept(
        by interceptor: any RouteInterceptor, at place: InterceptorTable.Place, priority: Int, onlyOf owner: String?,
        under lease: Lease
    ) {
        interceptors.insert(interceptor, at: place, priority: priority, onlyOf: owner, under: lease)
        if let call = (interceptor as? RouteGuard)?.call { targets.release(call.target) }
    }

    /// Removes all registrations of a lease.
    mutating func removeAll(under lease: Lease) {
        routes.removeAll(under: lease)
        targets.removeAll(under: lease)
        services.removeAll(under: lease)
        observers.removeAll(under: lease)
        interceptors.removeAll(under: lease)
    }
}
