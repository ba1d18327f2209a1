/// A request for something a bundle offers, as the bundle sees it: the address, already matched and decoded.
public struct ResourceRequest: Sendable {
    /// The address that was asked for.
    public let uri: ResourceURI
    /// The name that the route gives to what it serves: a page's, an object's or a handler's.
    public let name: String
    /// What the pattern captured, by name, decoded.
    public let captures: [String: String]
    /// The segments that the pattern's `**` took, decoded, in order; empty when it took none or the pattern has none.
    public let rest: [String]
    /// Values the caller sent along that have no place in an address: closures, images, Core values.
    public let userInfo: ActionParameters
    /// Who asks.
    public let origin: RequestOrigin

    /// Describes a request; hosts and tests make them, plugins receive them.
    public init(
        uri: ResourceURI, name: String, captures: [String: String] = [:], rest: [String] = [],
        userInfo: ActionParameters = [:], origin: RequestOrigin = .host
    ) {
        self.origin = origin
        self.uri = uri
        self.name = name
        self.captures = captures
        self.rest = rest
        self.userInfo = userInfo
    }

    /// Captures, query and user info under one roof. A capture beats a query item of the same name, and both beat user
    /// info, so that nothing sent along can replace what the address says.
    public var parameters: ActionParameters {
        var query: [String: any Sendable] = [:]
        for item in uri.parameters.items where query[item.name] == nil { query[item.name] = item.value }
        return ActionParameters(captures).merging(ActionParameters(query)).merging(userInfo)
    }
}
