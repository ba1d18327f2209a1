/// A first call into a bundle's code, as somebody sees it who wants to know whether the code can be trusted. The first of each
/// kind is one: for a resource, of an action, of an interceptor, of an observer, and for a service.
///
/// ```swift
/// let lease = Lease(owner: "com.example.app.shop") { isHeld in
///     let mark = book.begin("com.example.app.shop", isHeld: isHeld)
///     return FirstCall(gaveWay: { mark.gaveWay() }, ended: { mark.end(isProof: $0) })
/// }
/// ```
public struct FirstCall: Sendable {
    /// Is asked when a bundle's code is about to be called that has not been used, on the thread that it will run on.
    ///
    /// - Parameter isHeld: whether `gaveWay` will tell when the code gives that thread back. It does for code of an actor, the
    ///   main one for instance; what runs on a pool's threads may leave one for another unseen.
    public typealias Watch = @Sendable (_ isHeld: Bool) -> FirstCall

    let gaveWay: @Sendable () -> Void
    let ended: @Sendable (_ isUse: Bool) -> Void

    /// Says who hears of it.
    ///
    /// - Parameters:
    ///   - gaveWay: the code waits, maybe for a user, and its actor does something else. Also called after the end.
    ///   - ended: the code has returned, or thrown. `isUse` is `false` when it was only asked whether it has something; it is
    ///     watched then until it is used.
    public init(
        gaveWay: @escaping @Sendable () -> Void, ended: @escaping @Sendable (_ isUse: Bool) -> Void
    ) {
        self.gaveWay = gaveWay
        self.ended = ended
    }
}

extension Lease {
    /// What code is called for.
    public enum Purpose: UInt8, Sendable {
        /// Only to know whether it has something.
        case question = 0
        /// A page or an object.
        case resource = 1
        /// A call of the mediator.
        case action = 2
        /// Whether a request may go on.
        case interception = 4
        /// To hear of an event.
        case event = 8
        /// An instance of a service.
        case service = 16
        /// To hear that the bundle goes.
        case ending = 32

        var isUse: Bool { self != .question && self != .ending }
    }

    /// Calls code of the bundle, watched when it has not been used and somebody wants that. Belongs around the code itself, on
    /// the thread that it runs on.
    public func trying<R>(
        _ purpose: Purpose, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        guard let watch = watch(for: purpose) else { return try await body() }
        let call = watch(isolation != nil)
        if isolation != nil {
            // The actor comes to this when the code has given it back.
            Task {
                _ = isolation
                call.gaveWay()
            }
        }
        defer { call.ended(purpose.isUse) }
        return try await body()
    }
}
