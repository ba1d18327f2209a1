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
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text.utf8[..<colon]
        guard let first = name.first, first.isASCIILetter, name.allSatisfy({ $0.isASCIILetter || $0.isSchemeMark })
        else { return nil }
        return String(text[..<colon]).lowercased()
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }

    /// A Boolean value that indicates whether a scheme can contain the byte after its first letter (RFC 3986, section 3.1).
    fileprivate var isSchemeMark: Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || "+-.".utf8.contains(self)
    }
}

/// The host's fallbacks for addresses that no route handles.
struct FallbackTable: Sendable {
    private var patterns: [(pattern: RoutePattern, action: FallbackAction)] = []
    /// The fallbacks for whole schemes, which are in lowercase, and for everything.
    private var general: [FallbackScope: FallbackAction] = [:]

    /// Sets a fallback and replaces the one for the same addresses.
    mutating func set(_ action: FallbackAction, for pattern: RoutePattern) {
        patterns.removeAll { $0.pattern.canonicalKeys == pattern.canonicalKeys }
        patterns.append((pattern, action))
    }

    /// Sets a fallback for a scheme or for everything.
    mutating func set(_ action: FallbackAction, for scope: FallbackScope) {
        general[scope] = action
    }

    /// Returns the fallbacks for an address in order: the most specific pattern first, then the scheme, then the general one.
    func fallbacks(for uri: ResourceURI) -> [(action: FallbackAction, captures: RouteCaptures?)] {
        let specific = patterns.compactMap { pattern, action in
            pattern.expansion(matching: uri).map { (expansion: $0, action: action) }
        }
        .sorted { $0.expansion.precedes($1.expansion, ignoringCase: uri.hasAuthority) }
        let scopes = [uri.linkScheme.map(FallbackScope.scheme), .everything].compactMap(\.self)
        return specific.map { ($0.action, RouteCaptures(uri, $0.expansion)) }
            + scopes.compactMap { general[$0] }.map { ($0, nil) }
    }
}
