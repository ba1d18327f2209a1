public import PluginCore
public import PluginRouter

/// What a host puts into every bundle's context.
public struct HostServices: Sendable {
    /// The user's languages, most wanted first (BCP 47).
    public let languages: [String]
    /// The types that captures can ask for, in every pattern that the host reads.
    public let converters: RouteConverters
    /// Takes what bundles log: the bundle's identifier, the level, the message.
    public let log: @Sendable (String, BundleLogger.Level, String) -> Void
    /// What this process was started to do, in words without secrets, for whoever waits for it; `nil` for its name alone.
    public var command: String?

    /// Gathers a host's services.
    public init(
        languages: [String], converters: RouteConverters = .standard,
        log: @escaping @Sendable (String, BundleLogger.Level, String) -> Void
    ) {
        self.converters = converters
        self.languages = languages
        self.log = log
    }
}
