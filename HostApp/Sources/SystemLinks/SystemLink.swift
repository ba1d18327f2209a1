public import PluginCore
import PluginRouter

/// An address as the text that is passed to the system.
///
/// The text is ASCII: everything else is percent-encoded, so that no character can look like another one or change the direction of the text.
///
/// ```swift
/// let link = try SystemLink(ResourceURI("https://bank.example@evil.example/"))
/// link?.server    // "evil.example"
/// ```
public struct SystemLink: Hashable, Sendable {
    /// The text, without spaces, quotation marks and control characters.
    public let text: String
    /// The scheme in lowercase.
    public let scheme: String
    /// The server with its port, without the user in front of it; `nil` if the scheme has no servers.
    public let server: String?

    /// Creates a link from an address; `nil` if the address has no scheme.
    public init?(_ uri: ResourceURI) {
        guard let scheme = uri.linkScheme else { return nil }
        self.scheme = scheme
        text = Self.encoded(uri.text)
        let rest = text.dropFirst(scheme.utf8.count + 1)
        guard rest.hasPrefix("//") else {
            server = nil
            return
        }
        // Browsers take a backslash for a slash, but it is encoded here.
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        server = String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority)
    }

    /// A Boolean value that indicates whether the server's name has letters outside of ASCII, which can look like others.
    public var hasInternationalServer: Bool {
        guard let server else { return false }
        return server.contains("%") || server.lowercased().split(separator: ".").contains { $0.hasPrefix("xn--") }
    }

    /// Percent-encodes all bytes that may not be in a URI by RFC 3986.
    private static func encoded(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            ":/?#[]@!$&'()*+,;=%".unicodeScalars.contains(scalar)
                ? String(scalar) : PercentCoding.encode(String(scalar))
        }.joined()
    }
}
