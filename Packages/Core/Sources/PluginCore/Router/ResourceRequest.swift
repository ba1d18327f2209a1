/// The result of a request: a page or a value.
@frozen
public enum Resource: Sendable {
    /// A page to show.
    case page(any Page)
    /// A value for the caller, or an empty tuple if a handler has no result.
    case object(any Sendable)
}

/// A request for a page, object or handler of a bundle. Its address has been matched and decoded.
public struct ResourceRequest: Sendable {
    /// The requested address.
    public let uri: ResourceURI
    /// The name of the page, object or handler that the route declares.
    public let name: String
    /// The decoded captures in the order of the pattern.
    public let captures: URIParameters
    /// The decoded segments that the pattern's double-star wildcard matched, in order. Empty if there are none.
    public let rest: [String]
    /// Values from the caller that an address cannot contain: closures, images, Core values.
    public let userInfo: ActionParameters
    /// The caller.
    public let origin: RequestOrigin

    /// Creates a request. Hosts and tests call this; plugins receive a request.
    public init(
        uri: ResourceURI, name: String, captures: URIParameters = [], rest: [String] = [],
        userInfo: ActionParameters = [:], origin: RequestOrigin = .host
    ) {
        self.origin = origin
        self.uri = uri
        self.name = name
        self.captures = captures
        self.rest = rest
        self.userInfo = userInfo
    }

    /// The captures, query items and user info as one set of parameters.
    ///
    /// Captures take precedence over query items of the same name, and both over user info, so user info cannot replace values of the
    /// address.
    public var parameters: ActionParameters {
        ActionParameters(captures.merging(uri.parameters)).merging(userInfo)
    }
}

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

/// The caller of a request. The host sets it on every request; plugin code cannot choose it.
public enum RequestOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The host itself, on behalf of its user.
    case host
    /// A bundle, by identifier.
    case plugin(String)
    /// An extension of a bundle, by the bundle's identifier.
    case `extension`(String)
    /// A link from outside the app: a web page, a message, another program.
    case external

    /// The origin as text, such as a plugin with its identifier, or an external link.
    public var description: String {
        switch self {
        case .host: "host"
        case .plugin(let identifier): "plugin \(identifier)"
        case .extension(let identifier): "extension \(identifier)"
        case .external: "external link"
        }
    }
}

/// The callers that may use a route or an action. The default is plugins; external links reach only what is explicitly external.
public enum Exposure: String, Hashable, Sendable, CaseIterable, Codable {
    /// The host, the bundle that declares it, and that bundle's extensions.
    case `internal`
    /// The host, every bundle and every extension.
    case plugins
    /// Every caller, including external links.
    case external

    /// Returns whether a caller may use a route or action with this exposure.
    ///
    /// - Parameters:
    ///   - origin: The caller.
    ///   - owner: The identifier of the bundle that declares the route or action.
    public func admits(_ origin: RequestOrigin, owner: String) -> Bool {
        switch origin {
        case .host: true
        case .plugin(let identifier), .extension(let identifier): self != .internal || identifier == owner
        case .external: self == .external
        }
    }
}
