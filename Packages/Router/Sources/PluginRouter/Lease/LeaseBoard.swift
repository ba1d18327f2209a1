import PluginCore
internal import Synchronization

/// Where everything hangs that loaded code has registered, for router, mediator, services and events alike; so that what
/// a bundle has there vanishes in one step.
public final class LeaseBoard: Sendable {
    /// One state of the whole, which never changes.
    private final class Moment: Sendable {
        let registrations: Registrations
        init(_ registrations: Registrations) { self.registrations = registrations }
    }

    private let moment = Mutex(Moment(Registrations()))

    /// An empty board.
    public init() {}

    /// What is registered now.
    func load() -> Registrations {
        moment.withLock { $0 }.registrations
    }

    /// What is known of one target now; asked by every call, which does without the rest.
    func target(named name: String) -> BoundTarget? {
        moment.withLock { $0.registrations.targets.bound[name] }
    }

    /// Changes what is registered.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when the lease is revoked, and what `body` throws; then
    ///   nothing is changed.
    func update<R: Sendable>(
        under lease: Lease, _ body: (inout Registrations) throws(AtriumError) -> R
    ) throws(AtriumError) -> R {
        try moment.withLock { moment throws(AtriumError) in
            // Revoking takes the same lock, so nothing can be added behind its back.
            guard !lease.isRevoked else { throw .unloaded(lease.owner) }
            var changed = moment.registrations
            let result = try body(&changed)
            moment = Moment(changed)
            return result
        }
    }

    /// Takes something away, which needs no lease.
    func remove(_ body: (inout Registrations) -> Void) {
        moment.withLock { moment in
            var changed = moment.registrations
            body(&changed)
            moment = Moment(changed)
        }
    }

    /// Lets go of a bundle: everything it has registered vanishes in one step, and nothing new goes through its lease.
    public func revoke(_ lease: Lease) {
        moment.withLock { moment in
            lease.revoke()
            var changed = moment.registrations
            changed.removeAll(under: lease)
            moment = Moment(changed)
        }
    }
}
