/// What a route may say about itself beyond its pattern and kind.
public struct RouteOptions: Sendable {
    /// Routes of a higher priority are asked first, however specific the others are.
    public var priority: Int
    /// Who may ask for it.
    public var exposure: Exposure
    /// What must hold before it opens: actions, each `Target.action`, that answer `true` or `false` or an
    /// ``Interception``, in order.
    public var guards: [String]
    /// How long what serves it may take, the time it spends waiting for a user not counted; `nil` for the host's.
    public var deadline: Duration?
    /// A Boolean value that indicates whether it takes a request that it matches; what it declines goes to the next route that matches. Asked by
    /// `canOpen` as well, so it must have no effect.
    public var accepts: (@Sendable (ResourceRequest) async -> Bool)?

    /// What a route without wishes has.
    public init(
        priority: Int = 0, exposure: Exposure = .plugins, guards: [String] = [], deadline: Duration? = nil,
        accepts: (@Sendable (ResourceRequest) async -> Bool)? = nil
    ) {
        self.priority = priority
        self.exposure = exposure
        self.guards = guards
        self.deadline = deadline
        self.accepts = accepts
    }
}
