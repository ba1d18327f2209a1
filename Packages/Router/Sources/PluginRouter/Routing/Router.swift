public import PluginCore
internal import Synchronization

/// The router of the host: finds the route of an address, asks the interceptors, loads its bundle, and shows a page or runs a handler.
///
/// Routes come from manifests, through the directory and without loading code, and from code, through a leased router. If only the catalog
/// has the bundle, it is installed, and the original request continues with all its parameters.
///
/// Only the host decides who the caller is: a bundle gets a router that makes requests on its behalf (``leased(to:)``), and for links and
/// extensions the host chooses one (``routing(for:)``). Requests through the router itself are requests of the host.
///
/// ```swift
/// try await router.intercept(.scheme("app"), by: SignIn())
/// try await router.routing(for: .external).open("app://shop/item/42")
/// ```
public final class Router: Sendable {
    /// The limits for one request.
    public let limits: RouterLimits
    /// The types of captures in all patterns that the router parses.
    public let converters: RouteConverters

    let directory: any RouteDirectory
    let provider: any LoadedBundleProvider
    let mediator: any Mediating
    let onDemandProvider: (any OnDemandProvider)?
    let navigator: any Navigator
    let registrationStore: RegistrationStore
    let clock: any Clock<Duration>
    /// The lease of the host's registrations.
    let host = Lease(owner: "host")
    let unhandled = Mutex<[UnhandledObserver]>([])

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - directory: The routes of manifests.
    ///   - provider: The provider of their bundles.
    ///   - mediator: Performs guards.
    ///   - onDemandProvider: The provider of bundles that can be installed, or `nil`.
    ///   - navigator: Shows pages.
    ///   - registrationStore: The registrations of code.
    ///   - limits: The limits for one request.
    ///   - converters: The types of captures.
    ///   - clock: The clock for deadlines.
    public init(
        directory: any RouteDirectory, provider: any LoadedBundleProvider, mediator: any Mediating,
        onDemandProvider: (any OnDemandProvider)?, navigator: any Navigator, registrationStore: RegistrationStore,
        limits: RouterLimits = .standard,
        converters: RouteConverters = .standard, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.directory = directory
        self.provider = provider
        self.mediator = mediator
        self.onDemandProvider = onDemandProvider
        self.navigator = navigator
        self.registrationStore = registrationStore
        self.limits = limits
        self.converters = converters
        self.clock = clock
    }

    /// The deadline for code of bundles that does not declare its own.
    public var handlerDeadline: Deadline { Deadline(limits.handlerDeadline, clock: clock) }

    /// Returns the router for one bundle. The bundle is the caller, and its lease holds what is registered.
    public func leased(to lease: Lease) -> any Routing {
        LeasedRouter(router: self, origin: .plugin(lease.owner), lease: lease)
    }

    /// Returns the router for a caller without a lease: an external link, an extension, or a page described by data.
    ///
    /// Only the router for the host can register anything.
    public func routing(for origin: RequestOrigin) -> any Routing {
        LeasedRouter(router: self, origin: origin, lease: origin == .host ? host : nil)
    }
}
