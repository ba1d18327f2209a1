/// An address that a bundle serves.
public struct RouteDeclaration: Hashable, Sendable {
    /// The pattern, such as `shop/item/:id`.
    public let pattern: String
    /// How it may be asked for.
    public let kind: RouteKind
    /// What the bundle calls it.
    public let name: String
    /// `layout/pageId` when the page is described by data and needs no code.
    public let layout: String?
    /// What must hold before it opens, each `Target.action` of a bundle that answers `true` or `false`.
    public let guards: [String]
    /// Routes of a higher priority are asked first, however specific the others are.
    public let priority: Int
    /// Who may ask for it.
    public let exposure: Exposure
    /// How many seconds what serves it may take; `nil` for the host's deadline.
    public let deadline: Double?
    /// A Boolean value that indicates whether the principal is asked (``BundleDelegate/accepts(_:)``) before it serves a request; what it declines goes
    /// to the next route that matches.
    public let mayDecline: Bool

    /// Declares a route.
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

/// How a route may be asked for.
@frozen
public enum RouteKind: String, Hashable, Sendable, CaseIterable {
    /// Opening it shows a page.
    case page
    /// Opening it runs something.
    case handler
    /// It is never opened; asking for its object returns a value.
    case object
}
