package import PluginCore
package import PluginRouter
import Registry

/// The router, the mediator, and the exchanges of services and events, through which bundles and the host reach each other.
///
/// They have no state but the registrations, so that several of the same settings are the same.
package struct BundleCommunication: Sendable {
    /// The router, which acts on behalf of the host.
    package let router: Router
    /// The mediator, which acts on behalf of the host.
    package let mediator: Mediator
    package let services: ServiceExchange
    package let events: EventExchange

    init(_ loader: BundleLoader) {
        let (routing, services, log) = (loader.routing, loader.services, loader.services.log)
        let ports = RouterPorts(
            bundles: loader, onDemandProvider: loader.onDemandProvider,
            registrationStore: loader.transactions.registrations, layoutPage: routing.layoutPage,
            limits: routing.limits, hostLease: loader.hostLease, clock: routing.clock)
        mediator = Mediator(ports, hostTargets: services.targets, notFound: routing.notFound)
        router = Router(
            ports, directory: loader.directory, mediator: mediator, navigator: routing.navigator,
            converters: services.converters)
        self.services = ServiceExchange(ports)
        events = EventExchange(ports) { log($0, .error, .verbatim($1)) }
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
