import BundleFormat
import PluginCore
import PluginRouter
import Registry

/// The names that running code, the app and the host have taken, which the registry doesn't know.
struct ReservedNames: Sendable {
    let registrations: RegistrationStore
    let services: HostServices
    /// The app's own routes.
    let rules: [Route]

    /// Checks that a manifest doesn't conflict with routes of running code or the app, or with targets and services of the host.
    ///
    /// This is checked in the same critical section in which the registry is changed.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict` or `serviceConflict`.
    func requireFree(_ manifest: Manifest) throws(AtriumError) {
        try registrations.requireFree(manifest, besides: rules, converters: services.converters)
        let identifier = manifest.identity.identifier
        for target in manifest.targets where services.targets.contains(where: { $0.name == target.name }) {
            throw .taken(.targetConflict, target.name, of: identifier, by: "the host")
        }
        for service in manifest.services where services.provided.contains(where: { $0.name == service }) {
            throw .taken(.serviceConflict, service, of: identifier, by: "the host")
        }
    }
}
