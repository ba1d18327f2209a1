import HostSystem
public import PluginCore
import Synchronization

/// The lease of a loaded bundle, which holds all of its registrations. They are removed with it.
///
/// A bundle that is loaded again in another version gets another lease, so the versions never share a registration. A lease ends in two
/// steps. After ``RegistrationStore/revoke(_:)``, no new calls reach the bundle, but its running code and open pages can still call others and
/// finish. After ``close()``, its code can no longer call others either.
public final class Lease: Sendable, Hashable {
    /// The identifier of the bundle.
    public let owner: String
    /// The identity of the bundle, or nil for code of the host.
    public let bundle: BundleIdentity?
    /// The pages that the bundle has returned.
    public let pages = LeasedPages()

    /// The revoked and closed bits and the number of calls in one word, so that counting a call takes only two atomic additions.
    private let word = Atomic<Int>(0)
    /// The outcomes for which ``drained(within:)`` waits.
    private let waiting = Mutex<[FirstOutcome<Void>]>([])
    /// The closures to call when the lease is revoked, or nil if they were called.
    private let endings = Mutex<[@Sendable () -> Void]?>([])
    private let watch: FirstCall.Watch?
    private let confined = Atomic<Bool>(false)
    /// A bit mask of the purposes for which the code has been called.
    private let used = Atomic<UInt8>(0)

    private enum Bits {
        static let revoked = 1
        static let closed = 2
        static let call = 4
    }

    /// Creates a lease for code of the host or of a test.
    ///
    /// - Parameters:
    ///   - owner: The identifier of the owner.
    ///   - bundle: The identity of the bundle, or nil for code of the host.
    ///   - watch: Called before the code first runs for a purpose; `nil` for trusted code.
    public init(owner: String, bundle: BundleIdentity? = nil, watching watch: FirstCall.Watch? = nil) {
        self.owner = owner
        self.bundle = bundle
        self.watch = watch
    }

    /// Creates a lease for a bundle, which is named in the errors of its code.
    ///
    /// - Parameters:
    ///   - bundle: The identity of the bundle.
    ///   - watch: Called before the code first runs for a purpose; `nil` for trusted code.
    public convenience init(of bundle: BundleIdentity, watching watch: FirstCall.Watch? = nil) {
        self.init(owner: bundle.identifier.text, bundle: bundle, watching: watch)
    }

    /// A Boolean value that indicates whether the lease is revoked, so no new calls reach the bundle.
    public var isRevoked: Bool { word.load(ordering: .acquiring) & Bits.revoked != 0 }

    /// A Boolean value that indicates whether the lease is closed, so the bundle's code cannot call others.
    public var isClosed: Bool { word.load(ordering: .acquiring) & Bits.closed != 0 }

    /// A Boolean value that indicates whether the code runs in a process of its own, which may not send data out of the app unasked.
    public var isConfined: Bool { confined.load(ordering: .relaxed) }

    /// A Boolean value that indicates whether code in a process of its own has led to the current request.
    @TaskLocal static var isConfinedCaller = false

    /// Marks the bundle's code as code in a process of its own.
    public func confine() { confined.store(true, ordering: .relaxed) }

    /// Runs a closure on behalf of code in a process of its own. All requests that it leads to are known to come from there.
    public static func servingConfined<R>(_ body: () async throws -> R) async rethrows -> R {
        try await $isConfinedCaller.withValue(true) { try await body() }
    }

    /// Returns whether a call for a purpose no longer needs to be reported.
    func isUsed(for purpose: Purpose) -> Bool {
        watch == nil || used.load(ordering: .acquiring) & purpose.rawValue != 0
    }

    /// Returns the observer for a first call. If several calls for one purpose start at once, only one of them gets it.
    func watch(for purpose: Purpose) -> FirstCall.Watch? {
        guard let watch else { return nil }
        if purpose == .question { return used.load(ordering: .acquiring) == 0 ? watch : nil }
        let before = used.bitwiseOr(purpose.rawValue, ordering: .acquiringAndReleasing).oldValue
        return before & purpose.rawValue == 0 ? watch : nil
    }

    /// The number of calls in flight.
    public var calls: Int { word.load(ordering: .acquiring) / Bits.call }

    /// Starts a call into the bundle's code. It must be followed by the method that ends the call.
    ///
    /// - Returns: `false` if the lease is revoked. In this case, no call was started.
    func begin() -> Bool {
        let after = word.add(Bits.call, ordering: .acquiringAndReleasing).newValue
        if after & Bits.revoked == 0 { return true }
        end()
        return false
    }

    /// Ends a call.
    func end() {
        let after = word.subtract(Bits.call, ordering: .acquiringAndReleasing).newValue
        // Waiting is possible only after the lease was revoked, so calls before that need no lock.
        guard after & Bits.revoked != 0, after < Bits.call else { return }
        for idle in waiting.withLock({ $0 }) { idle.resolve(.success(())) }
    }

    /// Revokes the lease: no new calls can start.
    func revoke() {
        word.bitwiseOr(Bits.revoked, ordering: .acquiringAndReleasing)
    }

    /// Calls a closure when the lease is revoked, or at once if it already is.
    ///
    /// The closure ends something that the bundle has registered outside of the ``RegistrationStore``.
    public func onRevoke(_ body: @escaping @Sendable () -> Void) {
        let isRevoked = endings.withLock { endings in
            endings?.append(body)
            return endings == nil
        }
        if isRevoked { body() }
    }

    /// Calls the closures for the end of the lease, once.
    func tellRevoked() {
        for body in endings.withLock({ $0.take() }) ?? [] { body() }
    }

    /// Closes the lease: from now on, requests of the bundle's code fail.
    public func close() {
        word.bitwiseOr(Bits.closed, ordering: .acquiringAndReleasing)
    }

    /// Waits until no call is in flight or the time is over. The lease must be revoked.
    ///
    /// - Returns: The number of calls that are still in flight.
    @discardableResult
    public func drained(within time: Duration) async -> Int {
        let idle = FirstOutcome<Void>()
        // The end of the last call looks for waiters after it has changed the count. So either the count is zero here, or it finds this.
        waiting.withLock { $0.append(idle) }
        if calls == 0 { return 0 }
        let deadline = Task {
            try? await Task.sleep(for: time)
            idle.resolve(.success(()))
        }
        try? await idle.value()
        deadline.cancel()
        waiting.withLock { $0.removeAll { $0 === idle } }
        return calls
    }

    /// Compares two leases by identity.
    public static func == (one: Lease, other: Lease) -> Bool { one === other }

    /// Hashes the identity of the lease.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Lease {
    /// Throws an error if the lease is closed.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable`.
    func requireOpen() throws(AtriumError) {
        if isClosed { throw .unloaded(owner) }
    }
}

extension AtriumError {
    /// Returns the error for calls from or to a bundle that was unloaded.
    static func unloaded(_ owner: String) -> Self {
        Self(.bundleUnavailable, owner, reason: "unloaded")
    }
}

extension Lease {
    /// An error that indicates that a bundle was unloaded before it could be called.
    struct Revoked: Error {
        let owner: String
    }

    /// Runs a closure as a call, which must end before the lease is drained.
    ///
    /// - Throws: ``Revoked``, and the errors of `body`.
    func withActiveCall<R>(_ body: () async throws -> R) async throws -> R {
        guard begin() else { throw Revoked(owner: owner) }
        defer { end() }
        return try await body()
    }

    /// Runs code of the bundle as a call, names the bundle in its errors, and records the page that it returns.
    ///
    /// See ``withActiveCall(_:)`` and ``naming(_:isolation:_:)``.
    func withNamedCall<R>(_ request: String, _ body: () async throws -> R) async throws -> R {
        try await withActiveCall {
            let result = try await naming(request, body)
            if let resource = result as? Resource { pages.add(resource) }
            return result
        }
    }
}
