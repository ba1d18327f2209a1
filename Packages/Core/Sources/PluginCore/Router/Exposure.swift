/// The callers that may use a route or an action. The default is plugins; external links reach only what is explicitly external.
@frozen
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
