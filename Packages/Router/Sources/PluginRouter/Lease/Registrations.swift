import PluginCore

/// All that loaded code has registered: a value. Who reads it sees one moment of the whole, and a lease goes out of it with
/// everything it holds.
struct Registrations: Sendable {
    /// The routes that code has registered.
    var routes = RouteTable()

    /// Takes away everything that a lease holds.
    mutating func removeAll(under lease: Lease) {
        routes.removeAll(under: lease)
    }
}
