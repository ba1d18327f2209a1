public import PluginCore

/// The router of the host: finds the route of an address, asks the interceptors, loads its bundle, and shows a page or runs a handler.
///
/// Routes come from manifests, through the directory and without loading code, and from code, through a leased router. If only the catalog
/// has the bundle, it is installed, and the original request continues with all its parameters.
///
/// Only the host decides who the caller is: a bundle gets a router that makes requests on its behalf (``leased(to:)``), and for links and
/// extensions the host chooses one (``routing(for:)``). Requests through the router itself are requests of the host. A router has no state
/// but the registrations, so several of one host are the same.
///
/// ```swift
/// try await router.intercept(.scheme("app"), by: SignIn())
/// try await router.routing(for: .external).open("app://shop/item/42")
/// ```
public final class Router: Routing, CallerRouting {
    /// The limits for one request.
    public let limits: RouterLimits
    /// The types of captures in all patterns that the router parses.
    public let converters: RouteConverters

    let directory: any RouteDirectory
    let bundles: any InstalledBundles
    let mediator: any Mediating
    let onDemandProvider: (any OnDemandProvider)?
    let navigator: any Navigator
    let registrationStore: RegistrationStore
    let clock: any Clock<Duration>
    /// The lease of the host's registrations.
    let host: Lease

    /// Creates a router.
    ///
    /// - Parameters:
    ///   - directory: The routes of manifests.
    ///   - bundles: The installed bundles.
    ///   - mediator: Performs guards.
    ///   - onDemandProvider: The provider of bundles that can be installed, or `nil`.
    ///   - navigator: Shows pages.
    ///   - registrationStore: The registrations of code.
    ///   - limits: The limits for one request.
    ///   - converters: The types of captures.
    ///   - hostLease: The lease of the host's registrations.
    ///   - clock: The clock for deadlines.
    public init(
        directory: any RouteDirectory, bundles: any InstalledBundles, mediator: any Mediating,
        onDemandProvider: (any OnDemandProvider)?, navigator: any Navigator, registrationStore: RegistrationStore,
        limits: RouterLimits = .standard, converters: RouteConverters = .standard,
        hostLease: Lease = Lease(owner: "host"), clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.directory = directory
        self.bundles = bundles
        self.mediator = mediator
        self.onDemandProvider = onDemandProvider
        self.navigator = navigator
        self.registrationStore = registrationStore
        self.limits = limits
        self.converters = converters
        self.clock = clock
        host = hostLease
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

    var router: Router { self }
    var origin: RequestOrigin { .host }
    var lease: Lease? { host }
}
