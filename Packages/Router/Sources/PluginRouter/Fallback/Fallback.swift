public import PluginCore

/// The addresses to which a fallback applies.
public enum FallbackScope: Hashable, Sendable {
    /// The addresses that a pattern matches.
    case pattern(String)
    /// The addresses of a scheme.
    case scheme(String)
    /// All addresses.
    case everything
}

/// The action for an address that no route handles.
public enum FallbackAction: Sendable {
    /// Open another address on behalf of the same caller, with the original address as a parameter named url.
    case address(ResourceURI)
    /// Run code of the host.
    case handler(RouteHandler)
    /// Pass the address to something outside of the app. If no other fallback answers, the caller gets its error.
    case outside(OutsidePassage)
}

/// An address that is about to leave the app.
public struct OutboundLink: Hashable, Sendable {
    /// The address.
    public let uri: ResourceURI
    /// The caller.
    public let origin: RequestOrigin
    /// A Boolean value that indicates whether a link from outside or an extension has led to the request, possibly by way of plugins.
    public let isFromOutside: Bool
    /// A Boolean value that indicates whether a plugin in a process of its own has led to the request, possibly by way of other plugins.
    public let isFromConfined: Bool

    /// Creates a link; routers and tests of hosts call this.
    public init(uri: ResourceURI, origin: RequestOrigin, isFromOutside: Bool, isFromConfined: Bool = false) {
        self.isFromConfined = isFromConfined
        self.uri = uri
        self.origin = origin
        self.isFromOutside = isFromOutside
    }
}

/// A closure that passes an address to something outside of the app.
public typealias OutsidePassage = @Sendable (OutboundLink) async throws -> Void

extension ResourceURI {
    /// The scheme in lowercase, also of an address without an authority, such as `mailto:ada@example.com`; `nil` if there is none.
    ///
    /// Routes don't use it: for them, such an address is a path without a scheme.
    public var linkScheme: String? {
        if let scheme { return scheme }
        guard let colon = text.utf8.firstIndex(of: .colon) else { return nil }
        let name = text.utf8[..<colon]
        // RFC 3986, section 3.1.
        guard name.first?.isLetter == true, name.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return nil }
        return String(text[..<colon]).lowercased()
    }
}

/// A fallback of the host for addresses that no route handles.
struct RegisteredFallback {
    /// The addresses, with a scheme in lowercase, and with the canonical key in place of a pattern.
    var scope: FallbackScope
    /// The pattern, or nil for a scheme and for everything.
    var pattern: RoutePattern?
    let action: FallbackAction
}

extension [RegisteredFallback] {
    /// Returns the fallbacks for an address in order: the most specific pattern first, then the scheme, then the general one.
    func matching(_ uri: ResourceURI) -> [(action: FallbackAction, captures: RouteCaptures?)] {
        let specific = compactMap { fallback in
            fallback.pattern?.expansion(matching: uri).map { (expansion: $0, action: fallback.action) }
        }
        .sorted { $0.expansion.precedes($1.expansion, ignoringCase: uri.hasAuthority) }
        let general = [uri.linkScheme.map(FallbackScope.scheme), .everything].compactMap { scope in
            first { $0.scope == scope }
        }
        return specific.map { ($0.action, RouteCaptures(uri, $0.expansion)) } + general.map { ($0.action, nil) }
    }
}
