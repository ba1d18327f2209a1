/// A first call into a bundle's code, reported to detect code that crashes or hangs.
///
/// The first call for each purpose is reported: a resource, an action, an interceptor, an observer, and a service.
///
/// ```swift
/// let lease = Lease(owner: "com.example.app.shop") { isHeld in
///     let sentinel = sentinels.begin("com.example.app.shop", isHeld: isHeld)
///     return FirstCall(gaveWay: { sentinel.gaveWay() }, ended: { sentinel.end(isProof: $0) })
/// }
/// ```
public struct FirstCall: Sendable {
    /// A closure that is called before a bundle's code first runs for a purpose, on the thread that runs the code.
    ///
    /// - Parameter isHeld: Whether `gaveWay` will be called when the code suspends. This works for code that is isolated to an actor, such
    ///   as the main actor. Code on a thread pool may change threads unnoticed.
    public typealias Watch = @Sendable (_ isHeld: Bool) -> FirstCall

    let gaveWay: @Sendable () -> Void
    let ended: @Sendable (_ isUse: Bool) -> Void

    /// Creates an observer of a first call.
    ///
    /// - Parameters:
    ///   - gaveWay: Called when the code suspends, perhaps to wait for a user, and its actor runs something else. Also called after the
    ///     end.
    ///   - ended: Called when the code has returned or thrown. `isUse` is `false` if the bundle was only asked a question; its code then
    ///     counts as unused.
    public init(
        gaveWay: @escaping @Sendable () -> Void, ended: @escaping @Sendable (_ isUse: Bool) -> Void
    ) {
        self.gaveWay = gaveWay
        self.ended = ended
    }
}

extension Lease {
    /// The purpose of a call into a bundle's code.
    public enum Purpose: UInt8, Sendable {
        /// Ask the bundle whether it provides something.
        case question = 0
        /// Get a page or an object.
        case resource = 1
        /// Perform an action.
        case action = 2
        /// Intercept a request.
        case interception = 4
        /// Deliver an event.
        case event = 8
        /// Create an instance of a service.
        case service = 16
        /// Announce that the bundle will be unloaded.
        case ending = 32

        var isUse: Bool { self != .question && self != .ending }
    }

    /// Calls code of the bundle, and reports the call if it is the first for its purpose.
    ///
    /// This must directly surround the call, on the thread that runs the code.
    public func invoking<R>(
        _ purpose: Purpose, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        guard let watch = watch(for: purpose) else { return try await body() }
        let call = watch(isolation != nil)
        if isolation != nil {
            // The actor runs this task when the code suspends.
            Task {
                _ = isolation
                call.gaveWay()
            }
        }
        defer { call.ended(purpose.isUse) }
        return try await body()
    }
}
