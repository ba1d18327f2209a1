internal import HTTPTransfer
public import PluginCore

/// The place of a catalog: an address of a web server, or a local folder.
///
/// The folder at the place contains `metadata` and `targets`.
public enum CatalogAddress: Hashable, Sendable, CustomStringConvertible {
    /// An address that begins with `http://` or `https://`, without a slash at its end.
    case web(String)
    /// An absolute path.
    case folder(FilePath)

    /// Creates a place from an address with the scheme `http`, `https` or `file`; returns `nil` for any other text.
    public init?(_ text: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), text.dropFirst(scheme.count).hasPrefix("://") else {
            return nil
        }
        var rest = text.dropFirst(scheme.count + 3)
        while rest.count > 1, rest.hasSuffix("/") { rest = rest.dropLast() }
        switch scheme {
        case "http" where !rest.isEmpty, "https" where !rest.isEmpty: self = .web("\(scheme)://\(rest)")
        case "file" where rest.hasPrefix("/"): self = .folder(FilePath(String(rest)))
        default: return nil
        }
    }

    /// A Boolean value that indicates whether the place is a web server.
    public var isWeb: Bool { if case .web = self { true } else { false } }

    /// The address as a text that creates an equal value, with a password in it.
    public var text: String {
        switch self {
        case .web(let address): address
        case .folder(let path): "file://\(path)"
        }
    }

    /// The address for messages and other output, with `***` in place of a password.
    public var description: String { isWeb ? HTTPRequest.redacted(text) : text }
}
