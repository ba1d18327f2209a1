package import PluginTestKit
import BundleFormat
import Registry
package import PluginCore
import PluginRouter
import PluginRuntime

extension FaultOperation {
    /// Finds an address that a bundle handles with its code in all given versions, by trying its routes.
    ///
    /// Without such an address, the bundle never runs, and a bundle that never ran has no minimum version.
    ///
    /// - Parameters:
    ///   - identifier: The bundle.
    ///   - versions: Its versions in the catalog.
    ///   - host: The host that opens the address.
    ///   - catalog: The catalog with its packages and those of its requirements.
    /// - Returns: `nil` if there is none, or if the bundle gets its minimum version without running, because it has no code.
    /// - Throws: The reason why a package cannot be read.
    package static func address(
        of identifier: String, versions: [SemanticVersion], on host: HostApp, catalog: ThrowawayCatalog
    ) async throws -> String? {
        guard let newest = versions.max() else { return nil }
        let manifest = try SealedPackage(opening: catalog.package(identifier, newest)).manifest
        guard manifest.entry != nil else { return nil }
        for route in manifest.routes {
            let address = try route.example(scheme: "app")
            var isServed = true
            for version in versions where isServed {
                let sandbox = try ThrowawaySandbox()
                let host = host.with(sandbox: sandbox, catalog: catalog)
                let install = try await host.run("install", "\(identifier)@\(version)")
                guard install.status == 0 else { return nil }
                let open = try await host.run("open", address)
                let minimum = try BundleIdentifier(identifier).flatMap {
                    try Registry(sandbox.sandbox).notes.minimumVersion(of: $0)
                }
                isServed = open.status == 0 && minimum == version
            }
            if isServed { return address }
        }
        return nil
    }
}
