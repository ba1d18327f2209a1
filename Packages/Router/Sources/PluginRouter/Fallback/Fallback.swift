public import PluginCore

/// Which addresses a fallback is for.
public enum FallbackScope: Hashable, Sendable {
    /// Those that a pattern matches.
    case pattern(String)
    /// Those of a scheme.
    case scheme(String)
    /// All.
    case everything
}

/// What is done with an address that nobody serves.
public enum FallbackAction: Sendable {
    /// Another one is opened in its place, by the same origin; it gets the original as the parameter `url`.
    case address(ResourceURI)
    /// Code of the host answers.
    case handler(RouteHandler)
}

/// An address that nobody serves.
public struct UnhandledAddress: Hashable, Sendable {
    /// The address.
    public let uri: ResourceURI
    /// Who asked for it.
    public let origin: RequestOrigin
    /// What may have been meant, nearest first.
    public let nearest: [String]
    /// The same text for everything that one request has led to.
    public let chain: String
    /// The requests that led to it, the first first, itself last.
    public let path: [String]
}

/// Hears of an address that nobody serves.
public typealias UnhandledObserver = @Sendable (UnhandledAddress) -> Void
