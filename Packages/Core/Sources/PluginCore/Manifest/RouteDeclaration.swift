/// A route as a manifest declares it.
public struct RouteDeclaration: Hashable, Sendable, Codable {
    /// The pattern, such as shop/item/:id.
    public let pattern: String
    /// The kind of route.
    public let kind: RouteKind
    /// The name by which the bundle knows the route.
    public let name: String
    /// The page of a layout file for a page described by data, which needs no code, or nil.
    ///
    /// Its form is `layout/pageId`.
    public let layout: String?
    /// The actions that must allow a request before the route handles it, in order.
    ///
    /// Each is `Target.action` and answers `true` or `false`.
    public let guards: [String]
    /// The priority. Of several matching routes, the one with the highest priority is tried first, even if others are more specific.
    public let priority: Int
    /// The callers that may open the route.
    public let exposure: Exposure
    /// The deadline for handling a request, in seconds, or nil for the host's deadline.
    public let deadline: Double?
    /// A Boolean value that indicates whether the bundle may decline a request, which then goes to the next matching route.
    ///
    /// The code binds the check with ``RouteBinding/accepting(_:)``.
    public let mayDecline: Bool

    /// Creates a declaration.
    public init(
        pattern: String, kind: RouteKind, name: String, layout: String? = nil, guards: [String] = [],
        priority: Int = 0, exposure: Exposure = .plugins, deadline: Double? = nil, mayDecline: Bool = false
    ) {
        self.priority = priority
        self.exposure = exposure
        self.deadline = deadline
        self.mayDecline = mayDecline
        self.pattern = pattern
        self.kind = kind
        self.name = name
        self.layout = layout
        self.guards = guards
    }
}

/// The kind of a route.
@frozen
public enum RouteKind: String, Hashable, Sendable, CaseIterable, Codable {
    /// Opening the route shows a page.
    case page
    /// Opening the route runs a handler.
    case handler
    /// The route cannot be opened; a request for its object returns a value.
    case object
}
