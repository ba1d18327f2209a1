/// How much a router does for one request before it is an error.
public struct RouterLimits: Hashable, Sendable {
    /// What hosts that say nothing get.
    public static let standard = RouterLimits()

    /// How many addresses and calls may lead to one another.
    public var chainDepth: Int
    /// How long what serves a route may take when the route does not say; interceptors have as long.
    public var handlerDeadline: Duration
    /// How many UTF-8 bytes an address from outside may have: what servers of the web commonly take.
    public var externalAddressBytes: Int
    /// How many parameters an address from outside may have, or a call, and as many may come beside an address that is opened.
    public var externalParameters: Int
    /// How many UTF-8 bytes the name or the value of a parameter from outside may have, decoded; and the name of what it calls.
    public var externalValueBytes: Int
    /// How many addresses may wait for their bundle.
    public var deferredRequests: Int
    /// How long each may wait, in whole seconds.
    public var deferredLifetime: Duration

    /// Sets the limits.
    public init(
        chainDepth: Int = 32, handlerDeadline: Duration = .seconds(30), externalAddressBytes: Int = 8192,
        externalParameters: Int = 64, externalValueBytes: Int = 2048,
        deferredRequests: Int = 32, deferredLifetime: Duration = .seconds(86_400)
    ) {
        self.chainDepth = chainDepth
        self.handlerDeadline = handlerDeadline
        self.externalAddressBytes = externalAddressBytes
        self.externalParameters = externalParameters
        self.externalValueBytes = externalValueBytes
        self.deferredRequests = deferredRequests
        self.deferredLifetime = deferredLifetime
    }
}
