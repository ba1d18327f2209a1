/// Who may ask for a route or an action. What declares nothing is for ``plugins``; a link from outside reaches only what
/// says ``external``.
@frozen
public enum Exposure: String, Hashable, Sendable, CaseIterable {
    /// The host, and the bundle it belongs to with its extensions.
    case `internal`
    /// The host, every bundle and every extension.
    case plugins
    /// Everybody, links from outside included.
    case external

    /// Returns whether something with this exposure may be asked for.
    ///
    /// - Parameters:
    ///   - origin: who asks.
    ///   - owner: the identifier of the bundle that it belongs to.
    public func admits(_ origin: RequestOrigin, owner: String) -> Bool {
        switch origin {
        case .host: true
        case .plugin(let identifier), .extension(let identifier): self != .internal || identifier == owner
        case .external: self == .external
        }
    }
}
