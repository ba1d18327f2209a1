public import PluginCore
internal import Synchronization

/// The right of one loaded bundle to be reached: whatever it registers is held by its lease and goes with it.
///
/// A bundle that is loaded anew, in another version, gets another lease, so the two never share a registration. It ends in
/// two steps. Revoked (``LeaseBoard/revoke(_:)``), nothing new gets in, while what runs or is open still gets out: calls in
/// flight complete with what they call, and the open pages of a version that was replaced finish on it. Closed
/// (``close()``), nothing gets out either: the bundle has gone.
public final class Lease: Sendable {
    /// The identifier of the bundle that holds it.
    public let owner: String
    /// The bundle that holds it, with its version; `nil` for code of the host.
    public let bundle: BundleIdentity?
    /// The pages that the bundle has handed out.
    public let pages = LeasedPages()

    /// Two bits and a count, in one word, so that a call costs two additions: ``Bits``.
    private let word = Atomic<Int>(0)
    private let waiting = Mutex<[Waiter]>([])
    private let watch: FirstCall.Watch?
    /// The purposes that the code was called for, as bits.
    private let used = Atomic<UInt8>(0)

    private enum Bits {
        static let revoked = 1
        static let closed = 2
        static let call = 4
    }

    private struct Waiter {
        let turn: DrainTurn
        let continuation: CheckedContinuation<Void, Never>
        let deadline: Task<Void, Never>
    }

    /// One who waits, as an object without content.
    private final class DrainTurn: Sendable {}

    /// A lease of code that is the host's own, or a test's.
    ///
    /// - Parameters:
    ///   - owner: the identifier that it registers as.
    ///   - watch: is asked when the bundle's code is called that has not been used; `nil` for code that is trusted.
    public convenience init(owner: String, watching watch: FirstCall.Watch? = nil) {
        self.init(owner: owner, bundle: nil, watch)
    }

    /// A lease of a bundle, which is named in what its code throws.
    ///
    /// - Parameters:
    ///   - bundle: the bundle that holds it.
    ///   - watch: is asked when the bundle's code is called that has not been used; `nil` for code that is trusted.
    public convenience init(of bundle: BundleIdentity, watching watch: FirstCall.Watch? = nil) {
        self.init(owner: bundle.identifier, bundle: bundle, watch)
    }

    private init(owner: String, bundle: BundleIdentity?, _ watch: FirstCall.Watch?) {
        self.owner = owner
        self.bundle = bundle
        self.watch = watch
    }

    /// A Boolean value that indicates whether it has been revoked: nothing new goes to the bundle.
    public var isRevoked: Bool { word.load(ordering: .acquiring) & Bits.revoked != 0 }

    /// A Boolean value that indicates whether it has been closed: nothing goes out from the bundle either.
    public var isClosed: Bool { word.load(ordering: .acquiring) & Bits.closed != 0 }

    /// Returns whether nobody watches such calls any more: one has been made, or at least begun.
    func isUsed(for purpose: Purpose) -> Bool {
        watch == nil || used.load(ordering: .acquiring) & purpose.rawValue != 0
    }

    /// Who watches a call; of several for one purpose that begin at once it is one of them.
    func watch(for purpose: Purpose) -> FirstCall.Watch? {
        guard let watch else { return nil }
        if purpose == .question { return used.load(ordering: .acquiring) == 0 ? watch : nil }
        let before = used.bitwiseOr(purpose.rawValue, ordering: .acquiringAndReleasing).oldValue
        return before & purpose.rawValue == 0 ? watch : nil
    }

    /// How many calls are in flight.
    public var calls: Int { word.load(ordering: .acquiring) / Bits.call }

    /// Begins a call into the bundle's code, which ``end()`` must follow.
    ///
    /// - Returns: `false` when the lease is revoked; nothing has begun then.
    func begin() -> Bool {
        let after = word.add(Bits.call, ordering: .acquiringAndReleasing).newValue
        if after & Bits.revoked == 0 { return true }
        end()
        return false
    }

    /// Ends a call.
    func end() {
        let after = word.subtract(Bits.call, ordering: .acquiringAndReleasing).newValue
        // Before it is revoked nobody waits, and calls come and go without a lock.
        if after & Bits.revoked != 0, after < Bits.call { wakeAll() }
    }

    /// Lets nothing new begin.
    func revoke() {
        word.bitwiseOr(Bits.revoked, ordering: .acquiringAndReleasing)
    }

    /// Lets nothing out any more: what the bundle's code asks for from now on is `bundleUnavailable`.
    public func close() {
        word.bitwiseOr(Bits.closed, ordering: .acquiringAndReleasing)
    }

    /// Returns once no call is in flight, or the time is over; for a revoked lease.
    ///
    /// - Returns: how many calls are in flight still.
    @discardableResult
    public func drained(within time: Duration) async -> Int {
        await withCheckedContinuation { continuation in
            let turn = DrainTurn()
            let isIdle = waiting.withLock { waiting in
                // Whoever ends the last call takes this lock after it; so either is the count zero here, or the waiter is
                // seen there.
                if calls == 0 { return true }
                let deadline = Task {
                    try? await Task.sleep(for: time)
                    self.wake { $0 === turn }
                }
                waiting.append(Waiter(turn: turn, continuation: continuation, deadline: deadline))
                return false
            }
            if isIdle { continuation.resume() }
        }
        return calls
    }

    private func wakeAll() {
        wake { _ in true }
    }

    private func wake(_ isMeant: (DrainTurn) -> Bool) {
        let woken = waiting.withLock { waiting in
            let woken = waiting.filter { isMeant($0.turn) }
            waiting.removeAll { isMeant($0.turn) }
            return woken
        }
        for waiter in woken {
            waiter.deadline.cancel()
            waiter.continuation.resume()
        }
    }
}

extension Lease: Hashable {
    /// A lease is equal to itself only.
    public static func == (one: Lease, other: Lease) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Lease {
    /// Throws when the bundle's code may ask for nothing any more.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable`.
    func requireOpen() throws(AtriumError) {
        if isClosed { throw .unloaded(owner) }
    }
}

extension AtriumError {
    /// The refusal of what a bundle asks for, or is asked for, once it is unloaded.
    static func unloaded(_ owner: String) -> AtriumError {
        AtriumError(.bundleUnavailable, owner, detail: "it has been unloaded")
    }
}
