public import PluginCore
internal import Synchronization

/// Opens addresses: finds the route, asks who may say no, brings its bundle to life, and shows the page or runs the handler.
///
/// Routes come from manifests, through the directory and without loading code, and from code, through a leased router.
/// Where the catalog has a bundle that the sandbox has not, the bundle is installed and the original request goes on,
/// with all its parameters.
///
/// Who asks is said by the host alone: what a bundle gets asks as the bundle (``leased(to:)``), and for links and extensions
/// the host takes a router of theirs (``routing(for:)``). The router itself asks as the host.
///
/// ```swift
/// try await router.intercept(.scheme("app"), by: SignIn())
/// try await router.routing(for: .external).open("app://shop/item/42")
/// ```
public final class Router: Sendable {
    /// How much is done for one request.
    public let limits: RouterLimits
    /// The types that captures can ask for, in every pattern that the router reads.
    public let converters: RouteConverters

    let directory: any RouteDirectory
    let provider: any LoadedBundleProvider
    let mediator: any Mediating
    let supply: (any BundleSupply)?
    let navigator: any Navigator
    let board: LeaseBoard
    let clock: any Clock<Duration>
    /// Holds what the host registers.
    let host = Lease(owner: "host")
    let unhandled = Mutex<[UnhandledObserver]>([])
    let deferred: DeferredDesk

    /// Puts a router together.
    ///
    /// - Parameters:
    ///   - directory: the routes of manifests.
    ///   - provider: the bundles that serve them.
    ///   - mediator: performs guards.
    ///   - supply: bundles that could be installed; `nil` for none.
    ///   - navigator: shows pages.
    ///   - board: what code has registered.
    ///   - limits: how much is done for one request.
    ///   - converters: the types that captures can ask for.
    ///   - deferred: keeps what waits for its bundle; `nil` to forget it with the process.
    ///   - clock: what deadlines are measured with.
    public init(
        directory: any RouteDirectory, provider: any LoadedBundleProvider, mediator: any Mediating,
        supply: (any BundleSupply)?, navigator: any Navigator, board: LeaseBoard, limits: RouterLimits = .standard,
        converters: RouteConverters = .standard, deferred: (any DeferredStore)? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.directory = directory
        self.provider = provider
        self.mediator = mediator
        self.supply = supply
        self.navigator = navigator
        self.board = board
        self.limits = limits
        self.converters = converters
        self.deferred = DeferredDesk(deferred)
        self.clock = clock
    }

    /// What code of bundles has that says nothing of its own.
    public var handlerDeadline: Deadline { Deadline(limits.handlerDeadline, clock: clock) }

    /// The router as one bundle sees it: it asks as the bundle, and what it registers is held by the lease.
    public func leased(to lease: Lease) -> any Routing {
        LeasedRouter(router: self, origin: .plugin(lease.owner), lease: lease)
    }

    /// The router as somebody sees it who has no lease: a link from outside, an extension, a page that is data. Only the
    /// host can register anything with one.
    public func routing(for origin: RequestOrigin) -> any Routing {
        LeasedRouter(router: self, origin: origin, lease: origin == .host ? host : nil)
    }
}
