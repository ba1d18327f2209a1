/// Everything that a plugin gets from its host. It is passed in; there is no global access to the host.
public final class BundleContext: Sendable {
    /// The identifier and version of this bundle.
    public let identity: BundleIdentity
    /// The bundle's own resources.
    public let resources: BundleResources
    /// The folders for the bundle's data.
    public let container: BundleContainer
    /// The bundle's settings and other small values, which survive the process.
    public let defaults: any DefaultsStore
    private let groups: [AppGroup]
    /// The controller of the bundle's widgets.
    public let widgets: WidgetController
    /// The bundle's log.
    public let logger: BundleLogger
    /// The mediator, which calls actions of other bundles.
    public let mediator: any Mediating
    /// The router, which opens addresses and registers routes.
    ///
    /// A route that is registered here is removed when this bundle is unloaded.
    public let router: any Routing
    /// The registry of services, which provides this bundle's services and finds those of other bundles.
    ///
    /// A service that is registered here is removed when this bundle is unloaded.
    public let services: any ServiceRegistry
    /// The event bus, which posts events to other bundles and observes theirs.
    ///
    /// An observer that is registered here is removed when this bundle is unloaded.
    public let events: any EventBus

    /// Creates a context. Hosts and tests call this; plugins receive a context.
    public init(
        identity: BundleIdentity, resources: BundleResources, container: BundleContainer, defaults: any DefaultsStore,
        groups: [AppGroup] = [], widgets: WidgetController, logger: BundleLogger, mediator: any Mediating,
        router: any Routing, services: any ServiceRegistry, events: any EventBus
    ) {
        self.services = services
        self.events = events
        self.identity = identity
        self.resources = resources
        self.container = container
        self.defaults = defaults
        self.groups = groups
        self.widgets = widgets
        self.logger = logger
        self.mediator = mediator
        self.router = router
    }

    /// Returns an app group that the bundle's manifest declares.
    ///
    /// - Throws: ``AtriumError`` with code `groupUndeclared` for any other group.
    public func appGroup(_ name: String) throws(AtriumError) -> AppGroup { try groups.declared(name) }
}
