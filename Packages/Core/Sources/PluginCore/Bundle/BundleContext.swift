/// All that a plugin gets from its host, passed in and never global.
public final class BundleContext: Sendable {
    /// Which bundle this is.
    public let identity: BundleIdentity
    /// The bundle's own resources.
    public let resources: BundleResources
    /// Where the bundle keeps its data.
    public let container: BundleContainer
    /// Where the bundle says what it does.
    public let logger: BundleLogger
    /// Calls other bundles.
    public let mediator: any Mediating
    /// Opens addresses, and takes routes under this bundle's lease.
    public let router: any Routing
    /// Provides services to other bundles and gets theirs, under this bundle's lease.
    public let services: any ServiceRegistry
    /// Tells other bundles what has happened, and hears it from them, under this bundle's lease.
    public let events: any EventBus

    /// Puts a context together; hosts and tests do, plugins receive it.
    public init(
        identity: BundleIdentity, resources: BundleResources, container: BundleContainer, logger: BundleLogger,
        mediator: any Mediating, router: any Routing, services: any ServiceRegistry, events: any EventBus
    ) {
        self.services = services
        self.events = events
        self.identity = identity
        self.resources = resources
        self.container = container
        self.logger = logger
        self.mediator = mediator
        self.router = router
    }
}
