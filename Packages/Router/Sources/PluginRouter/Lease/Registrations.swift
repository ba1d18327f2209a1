import PluginCore

/// All that loaded code has registered: a value. Who reads it sees one moment of the whole, and a lease goes out of it with
/// everything it holds.
struct Registrations: Sendable {
    /// The routes that code has registered.
    var routes = RouteTable()
    /// The targets that the mediator has found.
    var targets = TargetTable()
    /// The services that code provides.
    var services = ServiceTable()
    /// Who observes which event.
    var observers = ObserverTable()
    /// Who is asked before a route serves.
    var interceptors = InterceptorTable()
    /// What is done with addresses that nobody serves.
    var fallbacks = FallbackTable()

    /// Puts an interceptor before routes. The target of a guard is forgotten, to be remembered with its action as one.
    mutating func intercept(
        by interceptor: any RouteInterceptor, at place: InterceptorTable.Place, priority: Int, onlyOf owner: String?,
        under lease: Lease
    ) {
        interceptors.insert(interceptor, at: place, priority: priority, onlyOf: owner, under: lease)
        if let call = (interceptor as? RouteGuard)?.call { targets.release(call.target) }
    }

    /// Takes away everything that a lease holds.
    mutating func removeAll(under lease: Lease) {
        routes.removeAll(under: lease)
        targets.removeAll(under: lease)
        services.removeAll(under: lease)
        observers.removeAll(under: lease)
        interceptors.removeAll(under: lease)
    }
}
