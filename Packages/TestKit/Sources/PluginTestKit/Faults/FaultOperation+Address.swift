public import PluginCore
internal import PluginRouter
internal import PluginRuntime

extension FaultOperation {
    /// An address that the code of a bundle serves in each of some versions, found by trying: without one the bundle never
    /// runs, and what never ran has no floor.
    ///
    /// - Parameters:
    ///   - identifier: the bundle.
    ///   - versions: its versions in the catalog.
    ///   - host: the host that opens it.
    ///   - catalog: where its packages are, and those of what it requires.
    /// - Returns: `nil` when there is none, or the bundle has its floor without one, as what has no code does.
    /// - Throws: why a package cannot be read.
    public static func address(
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
                isServed = try open.status == 0 && Registry(sandbox.sandbox).floor(of: identifier) == version
            }
            if isServed { return address }
        }
        return nil
    }
}
