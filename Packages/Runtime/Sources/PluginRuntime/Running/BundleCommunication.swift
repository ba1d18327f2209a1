import Registry
import PluginCore
import PluginRouter
import Synchronization

/// The router, the mediator, and the exchanges of services and events, through which bundles and the host reach each other.
struct BundleCommunication: Sendable {
    /// The router, which acts on behalf of the host.
    let router: Router
    /// The mediator, which acts on behalf of the host.
    let mediator: Mediator
    let services: ServiceExchange
    let events: EventExchange
    /// The event bus, on which the host posts and receives events.
    var hostEvents: any EventBus { events.leased(to: hostLease) }

    private let hostLease = Lease(owner: "host")
    private let provider: LateProvider

    /// Creates them without bundles, which ``getBundles(from:)`` adds.
    ///
    /// - Parameter onDemandProvider: installs bundles for requests that no installed bundle handles; `nil` for none.
    init(
        _ registry: Registry, _ routing: HostRouting, _ services: HostServices,
        registrations: RegistrationStore, liveUpdates: LiveUpdates, onDemandProvider: (any OnDemandProvider)?
    ) {
        let (limits, clock, log) = (routing.limits, routing.clock, services.log)
        provider = LateProvider(liveUpdates)
        mediator = Mediator(
            directory: registry.targets, provider: provider, onDemandProvider: onDemandProvider,
            registrationStore: registrations, limits: limits, clock: clock, hostTargets: services.targets,
            hostLease: hostLease, notFound: routing.notFound)
        router = Router(
            directory: routing.directory(registry), provider: provider, mediator: mediator,
            onDemandProvider: onDemandProvider, navigator: routing.navigator, registrationStore: registrations,
            limits: limits, converters: services.converters,
            clock: clock)
        self.services = ServiceExchange(
            directory: registry.services, provider: provider, onDemandProvider: onDemandProvider,
            registrationStore: registrations, deadline: routing.handlerDeadline)
        events = EventExchange(registrationStore: registrations, deadline: routing.handlerDeadline) {
            log($0, .error, .verbatim($1))
        }
        for service in services.provided {
            self.services.provide(service.name, policy: service.policy, under: hostLease, make: service.make)
        }
    }

    /// Sets the loader that provides the bundles for requests, and which is created after the router.
    func getBundles(from loader: BundleLoader) {
        provider.loader.withLock { $0 = loader }
    }
}

/// The provider of bundles for a router, which is created before the loader, because each needs the other.
private final class LateProvider: LoadedBundleProvider {
    let loader = Mutex<BundleLoader?>(nil)
    private let liveUpdates: LiveUpdates

    init(_ liveUpdates: LiveUpdates) {
        self.liveUpdates = liveUpdates
    }

    func loaded(_ owner: String) async throws -> LoadedBundle {
        try await loader(for: owner).loaded(BundleIdentifier(owner: owner))
    }

    func principal(of owner: String) async throws -> Principal {
        try await loaded(owner).principal
    }

    func resources(of owner: String) async throws -> BundleResources {
        try await loader(for: owner).resources(of: BundleIdentifier(owner: owner))
    }

    private func loader(for owner: String) throws(AtriumError) -> BundleLoader {
        if let loader = loader.withLock({ $0 }) { return loader }
        throw AtriumError(.bundleUnavailable, owner, reason: "hostStarting")
    }

    func catchUp() async { await liveUpdates.catchUp() }
}
