import PluginCore

/// Where everything hangs that loaded code has registered, for router, mediator, services and events alike; so that what
/// a bundle has there vanishes in one step.
public final class LeaseBoard: Sendable {
    private let registrations = SnapshotCell(Registrations())

    /// An empty board.
    public init() {}

    /// What is registered now.
    func load() -> Registrations { registrations.load() }

    /// What is known of one target now; asked by every call, which does without the rest.
    func target(named name: String) -> BoundTarget? {
        registrations.read { $0.targets.bound[name] }
    }

    /// Changes what is registered.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when the lease is revoked, and what `body` throws; then
    ///   nothing is changed.
    func update<R: Sendable>(
        under lease: Lease, _ body: (inout Registrations) throws(AtriumError) -> R
    ) throws(AtriumError) -> R {
        try registrations.update { registrations throws(AtriumError) in
            // Writers wait for each other, and revoking is one of them, so nothing can be added behind its back.
            guard !lease.isRevoked else { throw .unloaded(lease.owner) }
            return try body(&registrations)
        }
    }

    /// Takes something away, which needs no lease.
    func remove(_ body: (inout Registrations) -> Void) {
        registrations.update { body(&$0) }
    }

    /// Lets go of a bundle: everything it has registered vanishes in one step, and nothing new goes through its lease.
    public func revoke(_ lease: Lease) {
        registrations.update { registrations in
            lease.revoke()
            registrations.removeAll(under: lease)
        }
    }
}
