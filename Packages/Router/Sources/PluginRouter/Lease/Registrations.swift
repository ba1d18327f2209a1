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

    /// Takes away everything that a lease holds.
    mutating func removeAll(under lease: Lease) {
        routes.removeAll(under: lease)
        targets.removeAll(under: lease)
        services.removeAll(under: lease)
        observers.removeAll(under: lease)
        interceptors.removeAll(under: lease)
    }
}
