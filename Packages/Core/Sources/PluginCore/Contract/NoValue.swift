/// A placeholder for no value: the input of a route without parameters, or the output of a route without a result.
@frozen
public struct NoValue: Hashable, Codable, Sendable {
    /// Creates a placeholder.
    public init() {}
}
