public import PluginCore

/// A pattern, whose it is, and what serves it.
public struct Route: Sendable {
    /// What serves a route.
    public enum Service: Sendable {
        /// The principal object of a bundle, or one of its page layouts, under this name.
        case declared(name: String, layout: String?)
        /// A closure that code registered.
        case code(RouteHandler)
    }

    /// Which addresses it serves.
    public let pattern: RoutePattern
    /// How it may be asked for.
    public let kind: RouteKind
    /// The identifier of the bundle it belongs to.
    public let owner: String
    /// What must hold before it opens, each `Target.action`.
    public let guards: [String]
    /// What serves it.
    public let service: Service
    /// What the route adds to the address's own parameters; those come first.
    public let parameters: URIParameters

    /// Describes a route.
    public init(
        pattern: RoutePattern, kind: RouteKind, owner: String, guards: [String] = [], service: Service,
        parameters: URIParameters = []
    ) {
        self.pattern = pattern
        self.kind = kind
        self.owner = owner
        self.guards = guards
        self.service = service
        self.parameters = parameters
    }

    /// A route as a bundle's manifest declares it.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed`.
    public init(_ declaration: RouteDeclaration, owner: String) throws(AtriumError) {
        self.init(
            pattern: try RoutePattern(declaration.pattern), kind: declaration.kind, owner: owner,
            guards: declaration.guards, service: .declared(name: declaration.name, layout: declaration.layout)
        )
    }
}

/// A route that matches an address, with what it captured.
public struct RouteMatch: Sendable {
    /// The route.
    public let route: Route
    /// What its pattern captured.
    public let captures: RouteCaptures
}
