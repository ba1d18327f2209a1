/// The caller of a request. The host sets it on every request; plugin code cannot choose it.
@frozen
public enum RequestOrigin: Hashable, Sendable {
    /// The host itself, on behalf of its user.
    case host
    /// A bundle, by identifier.
    case plugin(String)
    /// An extension of a bundle, by the bundle's identifier.
    case `extension`(String)
    /// A link from outside the app: a web page, a message, another program.
    case external
}

extension RequestOrigin: CustomStringConvertible {
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
