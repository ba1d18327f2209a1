import HostSystem
public import PluginCore
public import PluginRouter
public import Registry

/// The services of a host for its bundles, and its observers.
public struct HostServices: Sendable {
    /// Logs a message about a bundle, or of its own, with its identifier and a level. A bundle's own message is `verbatim`.
    public typealias Log = @Sendable (String, BundleLogger.Level, ErrorReason) -> Void
    /// Receives an error about damaged data, which is taken for missing.
    public typealias Report = @Sendable (AtriumError) -> Void
    /// Calls a closure after each change of a file until its result is released; the file need not exist.
    public typealias RegistryWatch = @Sendable (FilePath, @escaping @Sendable () -> Void) throws -> any Sendable

    /// The user's languages in order of preference, as BCP 47 tags.
    public var languages: [String]
    /// The types that captures may have, in all patterns that the host reads.
    public let converters: RouteConverters
    /// Logs a message about a bundle, or of its own, with its identifier and a level.
    public var log: Log
    /// Receives a line that a process of an isolated plugin or extension has printed, with the identifier; `nil` to log it.
    public var output: (@Sendable (String, String) -> Void)?
    /// Opens the defaults in a bundle's container, and reports what is damaged there.
    ///
    /// By default nothing is stored: each key has its default value, and changes are refused.
    public var defaults: @Sendable (BundleContainer, @escaping Report) -> any DefaultsStore = { _, _ in NoDefaults() }
    /// Opens the folder of an app group, and reports what is damaged there. By default, bundles with app groups are not loaded.
    public var appGroup: @Sendable (FilePath, @escaping Report) throws(AtriumError) -> any AppGroupStorage = {
        (_, _) throws(AtriumError) in throw NoDefaults.refusal
    }
    /// Watches the registry for changes of other processes as long as the result lives. By default, requests alone see them.
    public var watchRegistry: RegistryWatch = { _, _ in () }
    /// Called before a library of a bundle is opened, with the name by which the loader will know it.
    public var willLoad: @Sendable (String, BundleIdentity) -> Void = { _, _ in }
    /// A description of this process without secrets, for processes that wait for it; `nil` for its name.
    public var command: String?

    /// The processes of plugins that don't run in the process of the host; `nil` to refuse plugins that demand one.
    public var isolation: (any PluginProcesses)?
    /// The targets of the host, which every plugin may call; no bundle may declare one of the same name.
    public var targets: [ActionTarget] = []
    /// The services of the host; no bundle may declare one of the same name.
    public var provided: [HostService] = []
    /// The decisions of the host about versions, all of which a version needs.
    public var admission: [any Admission] = []
    /// The time limits for code that runs for the first time.
    public var crashMonitorLimits = CrashMonitorLimits()
    /// Called on a separate thread when such code, or any page that ``PageWatcher`` watches, exceeds its limit.
    ///
    /// The host decides what to do.
    public var onHang: @Sendable (HangReport) -> Void = { _ in }
    /// Receives every state transition of every bundle.
    public var observer: LifecycleObserver = { _ in }
    /// Replaces the crash detection, for tests.
    var crashMonitor: (@Sendable (Sandbox) -> CrashMonitor)?

    /// Creates the services of a host.
    public init(
        languages: [String] = ["en"], converters: RouteConverters = .standard,
        log: @escaping Log = { _, _, _ in }
    ) {
        self.converters = converters
        self.languages = languages
        self.log = log
    }
}

/// The defaults of bundles in a host that stores none.
private struct NoDefaults: DefaultsStore {
    static var refusal: AtriumError { AtriumError(.bundleUnavailable, "host", reason: "noStorage") }

    func values() -> DefaultsValues { DefaultsValues() }

    func change(_ body: (inout DefaultsValues) throws -> Void) throws { throw Self.refusal }
}

/// A service of the host, which plugins look up by name like a service of another plugin.
///
/// ```swift
/// HostService("Clock") { SystemClock() as any AcmeClock }
/// ```
public struct HostService: Sendable {
    /// The name of the service.
    public let name: String
    /// The lifetime of an instance: as long as the host runs, or one call.
    public let policy: ServicePolicy
    /// Creates an instance, whose type belongs to the standard library, Core, or one of the host's libraries.
    public let make: @Sendable () async throws -> any Sendable

    /// Creates a service.
    public init(
        _ name: String, policy: ServicePolicy = .perBundle, make: @escaping @Sendable () async throws -> any Sendable
    ) {
        self.name = name
        self.policy = policy
        self.make = make
    }
}

/// The handling of requests in a host: where pages are shown, which routes there are, and the limits for one request.
///
/// ```swift
/// var routing = HostRouting(navigator)
/// routing.limits.handlerDeadline = .seconds(10)
/// ```
public struct HostRouting: Sendable {
    /// Shows pages.
    public var navigator: any Navigator
    /// Returns the directory of routes, which is the registry unless something is asked before it.
    public var directory: @Sendable (Registry) -> any RouteDirectory = { $0.routes }
    /// Returns the provider of bundles for requests that no installed bundle handles, which installs them by a transaction; `nil` for none.
    public var onDemandProvider: @Sendable (InstallTransaction) -> (any OnDemandProvider)? = { _ in nil }
    /// Makes the pages that bundles describe by data; with `nil`, the code of the bundle is asked for them.
    public var layoutPage: LayoutPageMaker?
    /// The app's own routes, which no other bundle's active version may declare.
    public var rules: [Route] = []
    /// Called for a call to an unknown target or action; `nil` for no handler.
    public var notFound: Mediator.NotFound?
    /// The limits of router and mediator for one request.
    public var limits = RouterLimits.standard
    /// The time limit for running calls of a bundle that is deactivated.
    public var drainDeadline: Duration = .seconds(5)
    /// The clock for deadlines.
    public var clock: any _Concurrency.Clock<Duration> = ContinuousClock()

    /// Creates the handling of requests with the routes of the registry.
    public init(_ navigator: any Navigator = PageStack()) { self.navigator = navigator }

    /// The deadline for code of bundles that doesn't declare its own.
    var handlerDeadline: Deadline { Deadline(limits.handlerDeadline, clock: clock) }
}
