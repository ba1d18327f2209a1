/// Who asks. The host stamps it onto every request; nothing that plugin code can call takes one.
@frozen
public enum RequestOrigin: Hashable, Sendable {
    /// The host itself, for its user.
    case host
    /// The code of a bundle, by identifier.
    case plugin(String)
    /// An extension of a bundle, by the bundle's identifier.
    case `extension`(String)
    /// A link from outside the app: a web page, a message, another program.
    case external
}

extension RequestOrigin: CustomStringConvertible {
    /// `host`, `plugin com.example.app.shop`, `extension com.example.app.shop`, `external link`.
    public var description: String {
        switch self {
        case .host: "host"
        case .plugin(let identifier): "plugin \(identifier)"
        case .extension(let identifier): "extension \(identifier)"
        case .external: "external link"
        }
    }
}
