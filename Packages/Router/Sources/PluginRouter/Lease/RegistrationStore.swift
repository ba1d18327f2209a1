import PluginCore
internal import Synchronization

/// The registrations of all loaded code, shared by router, mediator, services and events, so that those of a bundle are removed in one
/// step.
public final class RegistrationStore: Sendable {
    /// An immutable snapshot of all registrations. It is an object, so that reading it retains one reference instead of one per table.
    private final class Snapshot: Sendable {
        let registrations: Registrations

        init(_ registrations: Registrations) {
            self.registrations = registrations
        }
    }

    private let snapshot = Mutex(Snapshot(Registrations()))

    /// Creates an empty store.
    public init() {}

    /// Returns the current registrations.
    func load() -> Registrations { current.registrations }

    /// Returns a target. Every call needs it, so it is read without retaining the other tables.
    func target(named name: String) -> BoundTarget? { current.registrations.targets.bound[name] }

    /// Returns the registered routes that match an address.
    func routes(matching uri: ResourceURI) -> [RouteMatch] { current.registrations.routes.matches(for: uri) }

    private var current: Snapshot { snapshot.withLock { $0 } }

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
        // The old snapshot is released outside of the lock: the end of a registered object may run code that registers.
        let (result, _) = try snapshot.withLock { snapshot throws(E) in
            var changed = snapshot.registrations
            let result = try body(&changed)
            let old = snapshot
            snapshot = Snapshot(changed)
            return (result, old)
        }
        return result
    }
}
