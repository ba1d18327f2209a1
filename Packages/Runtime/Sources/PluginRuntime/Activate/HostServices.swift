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

    /// The file names of the dynamic libraries that this program is linked with and that plugins may need, beside Core, SQLite and
    /// Swift's runtime: `libAcmeKit.so`. They count for the whole process.
    public var libraries: [String] = []
    /// The targets of the host itself, which any plugin may call. No bundle can have one of the same name.
    public var targets: [ActionTarget] = []
    /// The services of the host itself. No bundle can have one of the same name.
    public var provided: [HostService] = []

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

/// A service that the host provides to its plugins, who ask for it by name as for that of another plugin.
///
/// ```swift
/// HostService("Clock") { SystemClock() as any AcmeClock }
/// ```
public struct HostService: Sendable {
    /// The name that plugins ask for.
    public let name: String
    /// How long an instance is kept; as long as the host runs, or for one call.
    public let policy: ServicePolicy
    /// Makes an instance: of a type of the standard library, of Core, or of one of the host's libraries.
    public let make: @Sendable () async throws -> any Sendable

    /// Names a service.
    public init(
        _ name: String, policy: ServicePolicy = .perBundle, make: @escaping @Sendable () async throws -> any Sendable
    ) {
        self.name = name
        self.policy = policy
        self.make = make
    }
}
