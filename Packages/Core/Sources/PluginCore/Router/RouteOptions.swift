/// The optional properties of a route that is registered in code.
public struct RouteOptions: Sendable {
    /// The priority. Of several matching routes, the one with the highest priority is tried first, even if others are more specific.
    public var priority: Int
    /// The callers that may open the route.
    public var exposure: Exposure
    /// The actions that must allow a request before the route handles it, in order.
    ///
    /// Each is `Target.action` and returns `true`, `false`, or an ``Interception``.
    public var guards: [String]
    /// The deadline for handling a request, not counting the time spent waiting for a user, or nil for the host's deadline.
    public var deadline: Duration?
    /// A closure that returns whether the route accepts a matching request. A declined request goes to the next matching route.
    ///
    /// `canOpen` calls it as well, so it must not have side effects.
    public var accepts: (@Sendable (ResourceRequest) async -> Bool)?

    /// Creates options.
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
