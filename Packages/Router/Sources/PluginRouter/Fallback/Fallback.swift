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
}

/// An address that no route handles.
public struct UnhandledAddress: Hashable, Sendable {
    /// The address.
    public let uri: ResourceURI
    /// The caller.
    public let origin: RequestOrigin
    /// Suggestions, nearest first.
    public let nearest: [String]
    /// An identifier shared by all requests that one request has led to.
    public let chain: String
    /// The requests that led to this one in order, including itself.
    public let path: [String]
}

/// A closure that is called for an address that no route handles.
public typealias UnhandledObserver = @Sendable (UnhandledAddress) -> Void
