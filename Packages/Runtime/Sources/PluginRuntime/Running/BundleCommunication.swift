package import PluginCore
package import PluginRouter
import Registry

/// The router, the mediator, and the exchanges of services and events, through which bundles and the host reach each other.
///
/// They have no state but the registrations, so that several of the same settings are the same.
package struct BundleCommunication: Sendable {
    /// The settings of a host for them.
    struct Settings: Sendable {
        let routing: HostRouting
        let services: HostServices
        let directory: any RouteDirectory
        let registrations: RegistrationStore
        let onDemandProvider: (any OnDemandProvider)?
        /// The lease of the host's registrations.
        let hostLease = Lease(owner: "host")
    }

    /// The router, which acts on behalf of the host.
    package let router: Router
    /// The mediator, which acts on behalf of the host.
    package let mediator: Mediator
    package let services: ServiceExchange
    package let events: EventExchange
    private let settings: Settings

    /// The event bus, on which the host posts and receives events.
    var hostEvents: any EventBus { events.leased(to: settings.hostLease) }

    init(_ settings: Settings, bundles: any InstalledBundles) {
        let (routing, log) = (settings.routing, settings.services.log)
        self.settings = settings
        mediator = Mediator(
            bundles: bundles, onDemandProvider: settings.onDemandProvider, registrationStore: settings.registrations,
            limits: routing.limits, clock: routing.clock, hostTargets: settings.services.targets,
            hostLease: settings.hostLease, notFound: routing.notFound)
        router = Router(
            directory: settings.directory, bundles: bundles, mediator: mediator,
            onDemandProvider: settings.onDemandProvider, navigator: routing.navigator,
            registrationStore: settings.registrations, limits: routing.limits, converters: settings.services.converters,
            hostLease: settings.hostLease, clock: routing.clock)
        services = ServiceExchange(
            bundles: bundles, onDemandProvider: settings.onDemandProvider, registrationStore: settings.registrations,
            deadline: routing.handlerDeadline)
        events = EventExchange(registrationStore: settings.registrations, deadline: routing.handlerDeadline) {
            log($0, .error, .verbatim($1))
        }
    }

    /// Registers the services of the host.
    func provideHostServices() {
        for service in settings.services.provided {
            services.provide(service.name, policy: service.policy, under: settings.hostLease, make: service.make)
        }
    }
}

extension BundleIdentifier {
    /// Creates the identifier of the bundle that owns a route, a target or a service, which a router knows by its text.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` for the host and other owners that are no bundle.
    package init(owner: String) throws(AtriumError) {
        guard let identifier = Self(owner) else { throw AtriumError(.bundleNotInstalled, owner) }
        self = identifier
    }
}

/// Resources that were returned without loading their bundle's code.
///
/// A page defined by data uses them and has no lease, so a version is in use as long as its resources are referenced.
struct OpenResources {
    private struct Reference {
        weak var resources: BundleResources?
    }

    private var references: [PluginBundle: [Reference]] = [:]

    mutating func add(_ resources: BundleResources, of bundle: PluginBundle) {
        references[bundle, default: []].removeAll { $0.resources == nil }
        references[bundle, default: []].append(Reference(resources: resources))
    }

    func isUsed(_ bundle: PluginBundle) -> Bool {
        references[bundle]?.contains { $0.resources != nil } ?? false
    }

    /// Returns the versions whose resources have been released since the last call.
    mutating func closed() -> [PluginBundle] {
        let closed = references.keys.filter { !isUsed($0) }
        for bundle in closed { references[bundle] = nil }
        return closed
    }
}
