public import PluginCore

/// What a host puts into every bundle's context.
public struct HostServices: Sendable {
    /// The user's languages, most wanted first (BCP 47).
    public let languages: [String]
    /// Takes what bundles log: the bundle's identifier, the level, the message.
    public let log: @Sendable (String, BundleLogger.Level, String) -> Void

    /// Gathers a host's services.
    public init(
        languages: [String], log: @escaping @Sendable (String, BundleLogger.Level, String) -> Void
    ) {
        self.languages = languages
        self.log = log
    }
}
