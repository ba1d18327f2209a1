/// Nothing, where a ``RouteContract`` wants a type: the input of a route without parameters, the output of one without
/// a result.
@frozen
public struct NoValue: Hashable, Codable, Sendable {
    /// The only one.
    public init() {}
}
