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
