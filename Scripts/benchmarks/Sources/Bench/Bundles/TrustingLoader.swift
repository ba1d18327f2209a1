import CBaseline
import BundleStorage
import PluginCore
import PluginRouter
import HostSystem
import Registry
import PluginRuntime

/// A loader that does the same as the runtime except for verification.
///
/// It locks the version's folder, loads the library by its descriptor, reads the entry, and creates the principal object within a
/// deadline.
@MainActor
struct TrustingLoader {
    private let manager: BundleManager
    private let router: Router
    private let mediator: Mediator
    private let services: ServiceExchange
    private let events: EventExchange

    init(_ manager: BundleManager, _ router: Router, _ mediator: Mediator) {
        (self.manager, self.router, self.mediator) = (manager, router, mediator)
        let registrationStore = RegistrationStore()
        services = ServiceExchange(
            bundles: Nobody(), onDemandProvider: nil, registrationStore: registrationStore)
        events = EventExchange(registrationStore: registrationStore) { _, _ in }
    }

    /// Loads a version whose library has the given name.
    func load(_ bundle: PluginBundle, _ entry: String) async throws {
        let folder = manager.sandbox.folder(of: bundle.identity, digest: bundle.digest)
        guard baseline_hold(folder.string) >= 0 else { throw AtriumError(.bundleUnavailable, folder.string) }
        let library = folder.appending("lib/\(Platform.triple)/\(entry)")
        let symbol = baseline_load_descriptor(library.string, PluginEntry.symbol)
        guard let type = try EntryDescription(reading: symbol, of: bundle.identity).principalType else {
            throw AtriumError(.libraryIncompatible, bundle.identity.description)
        }
        let lease = Lease(owner: bundle.identity.identifier.text)
        let container = BundleContainer(root: manager.sandbox.container(of: bundle))
        let context = BundleContext(
            identity: bundle.identity, resources: BundleResources(root: folder.appending("Resources")),
            container: container, defaults: DefaultsFile(in: container) { _ in },
            widgets: WidgetController { _, _ in }, logger: BundleLogger { _, _ in },
            mediator: mediator.leased(to: lease), router: router.leased(to: lease),
            services: services.leased(to: lease), events: events.leased(to: lease)
        )
        _ = try await Deadline(.seconds(30)).runOnMain(bundle.identity.identifier.text, of: "its init") {
            try await type.start(context)
        }
    }
}
