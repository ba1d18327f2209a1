internal import Synchronization

/// The right of one loaded bundle to be reached: whatever it registers is held by its lease and goes with it.
///
/// A bundle that is loaded anew, in another version, gets another lease, so the two never share a registration.
public final class Lease: Sendable {
    /// The identifier of the bundle that holds it.
    public let owner: String

    private struct State {
        var isRevoked = false
        var calls = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// A lease unlike any other.
    public init(owner: String) {
        self.owner = owner
    }

    /// Whether it has been revoked: nothing new goes through it.
    public var isRevoked: Bool { state.withLock { $0.isRevoked } }

    /// Begins a call into the bundle's code, which ``end()`` must follow.
    ///
    /// - Returns: `false` when the lease is revoked; nothing has begun then.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isRevoked else { return false }
            state.calls += 1
            return true
        }
    }

    /// Ends a call.
    func end() {
        let waiting = state.withLock { state in
            state.calls -= 1
            guard state.calls == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Lets nothing new begin.
    func revoke() {
        state.withLock { $0.isRevoked = true }
    }

    /// Returns once no call is in flight.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.calls > 0 { state.waiting.append(continuation) }
                return state.calls == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}

extension Lease: Hashable {
    /// A lease is equal to itself only.
    public static func == (one: Lease, other: Lease) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
