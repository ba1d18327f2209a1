import PluginCore
internal import Synchronization

/// Where everything hangs that loaded code has registered, for router, mediator, services and events alike; so that what
/// a bundle has there vanishes in one step.
public final class LeaseBoard: Sendable {
    private let registrations = Mutex(Registrations())

    /// An empty board.
    public init() {}

    /// What is registered now.
    func load() -> Registrations {
        registrations.withLock { $0 }
    }

    /// Changes what is registered.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when the lease is revoked, and what `body` throws; then
    ///   nothing is changed.
    func update<R: Sendable>(
        under lease: Lease, _ body: (inout Registrations) throws(AtriumError) -> R
    ) throws(AtriumError) -> R {
        try registrations.withLock { registrations throws(AtriumError) in
            // Revoking takes the same lock, so nothing can be added behind its back.
            guard !lease.isRevoked else {
                throw AtriumError(.bundleUnavailable, lease.owner, detail: "it has been unloaded")
            }
            var changed = registrations
            let result = try body(&changed)
            registrations = changed
            return result
        }
    }

    /// Lets go of a bundle: everything it has registered vanishes in one step, and nothing new goes through its lease.
    public func revoke(_ lease: Lease) {
        registrations.withLock { registrations in
            lease.revoke()
            registrations.removeAll(under: lease)
        }
    }
}
