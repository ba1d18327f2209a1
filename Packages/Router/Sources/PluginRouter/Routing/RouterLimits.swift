/// The limits of a router for one request.
public struct RouterLimits: Hashable, Sendable {
    /// The default limits.
    public static let standard = RouterLimits()

    /// The maximum number of addresses and calls that may lead to one another.
    public var chainDepth: Int
    /// The deadline of routes that do not declare one, and of interceptors.
    public var handlerDeadline: Duration
    /// The maximum length of an external address in bytes of UTF-8. The default is a common limit of web servers.
    public var externalAddressBytes: Int
    /// The maximum number of parameters of an external address or call, and separately of the user info.
    public var externalParameters: Int
    /// The maximum length of a parameter's decoded name or value in bytes of UTF-8, for external callers.
    ///
    /// It also applies to the names of targets and actions.
    public var externalValueBytes: Int
    /// The maximum number of deferred requests.
    public var deferredRequests: Int
    /// The maximum waiting time of a deferred request, in whole seconds.
    public var deferredLifetime: Duration

    /// Creates limits.
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
