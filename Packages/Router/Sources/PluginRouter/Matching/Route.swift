public import PluginCore

/// A pattern, the bundle it belongs to, and what serves it.
///
/// A class, because a route is never changed and is handed on with every match.
public final class Route: Sendable {
    /// The code or data that serves a route.
    public enum Service: Sendable {
        /// The principal object of a bundle, or one of its page layouts, under this name.
        case declared(name: String, layout: String?)
        /// A closure that code registered.
        case code(RegisteredCode)
    }

    /// Which addresses it serves.
    public let pattern: RoutePattern
    /// How it may be asked for.
    public let kind: RouteKind
    /// The identifier of the bundle it belongs to.
    public let owner: String
    /// The guards that must answer `true` before the route opens, each as `Target.action`.
    public let guards: [String]
    /// The code or data that serves the route.
    public let service: Service
    /// The parameters that the route adds to those of the address, which come first.
    public let parameters: URIParameters
    /// Routes of a higher priority are asked first, however specific the others are.
    public let priority: Int
    /// The callers that the route admits.
    public let exposure: Exposure
    /// How long what serves it may take; `nil` for the host's deadline.
    public let deadline: Duration?
    /// A Boolean value that indicates whether what serves it is asked first, and may leave a request to the next route that matches.
    public let mayDecline: Bool

    /// Describes a route.
    public init(
        pattern: RoutePattern, kind: RouteKind, owner: String, guards: [String] = [], service: Service,
        parameters: URIParameters = [], priority: Int = 0, exposure: Exposure = .plugins, deadline: Duration? = nil,
        mayDecline: Bool = false
    ) {
        self.priority = priority
        self.exposure = exposure
        self.deadline = deadline
        self.mayDecline = mayDecline
        self.pattern = pattern
        self.kind = kind
        self.owner = owner
        self.guards = guards
        self.service = service
        self.parameters = parameters
    }

    /// A route as a bundle's manifest declares it.
    ///
    /// - Parameters:
    ///   - declaration: what the manifest says.
    ///   - owner: the bundle's identifier.
    ///   - converters: the types that captures can ask for.
    /// - Throws: ``AtriumError`` with code `patternMalformed`.
    public convenience init(
        _ declaration: RouteDeclaration, owner: String, converters: RouteConverters = .standard
    ) throws(AtriumError) {
        // Above eleven days nobody waits anyway.
        self.init(
            pattern: try RoutePattern(declaration.pattern, converters: converters), kind: declaration.kind,
            owner: owner, guards: declaration.guards,
            service: .declared(name: declaration.name, layout: declaration.layout), priority: declaration.priority,
            exposure: declaration.exposure,
            deadline: declaration.deadline.flatMap { $0 > 0 ? .seconds(min($0, 1e6)) : nil },
            mayDecline: declaration.mayDecline
        )
    }

    /// The code that serves the route, or nil for a route that a manifest declares.
    var code: RegisteredCode? {
        if case .code(let code) = service { code } else { nil }
    }
}

/// The code of a route that is registered in code.
public struct RegisteredCode: Sendable {
    /// The closure that handles requests.
    let handler: RouteHandler
    /// The closure that returns whether the route takes a request, or nil for one that always does.
    let accepts: (@Sendable (ResourceRequest) async -> Bool)?
    /// The lease that the route belongs to.
    let lease: Lease
    /// How closely the route's addresses belong to the bundle that has registered it; 0 for those of others.
    let claim: Int
}

/// A search for a route: the address, the kinds of routes, and the caller.
public struct RouteQuery: Sendable {
    /// The address.
    public let uri: ResourceURI
    /// The kinds of routes that would do.
    public let kinds: Set<RouteKind>
    /// The caller.
    public let origin: RequestOrigin

    /// Joins what is looked for.
    public init(_ uri: ResourceURI, as kinds: Set<RouteKind>, for origin: RequestOrigin) {
        self.uri = uri
        self.kinds = kinds
        self.origin = origin
    }

    /// The kinds of routes that opening reaches; the others are asked for as objects.
    public static let opened: Set<RouteKind> = [.page, .handler]

    /// The kinds of routes that have a page. Of an address whose page is asked for, opening it must show that page.
    public static let shown: Set<RouteKind> = [.page]

    /// A Boolean value that indicates whether the route is the one that opening the address takes.
    var isOpening: Bool { kinds.contains(.page) }

    /// Returns whether a route that has no page ends the search for one, because opening the address would take it.
    func isBlocked(by route: Route) -> Bool {
        kinds == Self.shown && route.kind == .handler && route.exposure.admits(origin, owner: route.owner)
    }

    /// Returns whether a route would serve the address for certain, so that its bundle may be installed for it: not one that may
    /// decline.
    public func isServed(by route: Route) -> Bool {
        !route.mayDecline && admits(route) && route.pattern.expansion(matching: uri) != nil
    }

    /// Returns whether a route is of one of the kinds, and exposed to the caller.
    func admits(_ route: Route) -> Bool {
        kinds.contains(route.kind) && route.exposure.admits(origin, owner: route.owner)
    }
}
