import Registry
import HostSystem
import PluginCore

/// The updates of installed bundles to newer versions that ship with the host.
struct BuiltInUpdates: Sendable {
    let builtIn: any PackageSource
    let install: InstallTransaction

    private var registry: Registry { install.registry }

    /// The errors of a catalog that cannot be asked now; the same update can succeed later.
    private static let codesOfCatalog: Set<AtriumError.Code> = [
        .catalogUnreachable, .catalogNotFetched, .catalogUntrusted, .downloadFailed,
    ]

    /// Updates installed bundles, unless the user has rolled back from the newer versions.
    ///
    /// Does nothing while the same packages ship. A rejected package doesn't affect the others, and isn't tried again until
    /// other packages ship. After a failure of the environment, such as a full disk or a busy sandbox, the update is tried
    /// again at the next start.
    func adopt() async throws -> [InstallReport] {
        guard let stamp = builtIn.stamp, try registry.state.builtInStamp() != stamp else { return [] }
        let offers = builtIn.known
        let blockReason = try install.planner.versionPolicy.blockRule(in: offers)
        var reports: [InstallReport] = []
        var isAllLookedAt = true
        for installed in try registry.active.all() {
            let identity = installed.active.identity
            let newest = try offers.versions(of: identity.identifier).first {
                try blockReason(BundleIdentity(identifier: identity.identifier, version: $0)) == nil
            }
            guard let newest, newest > identity.version else { continue }
            do {
                reports += try await install.run([.install(identity.identifier, newest)], because: .required)
            } catch {
                install.log("host", .error, ErrorReason("builtInUpdatesPostponed", ["error": .reason(.error(error))]))
                // Other updates may not need the catalog.
                if let code = (error as? AtriumError)?.code, Self.codesOfCatalog.contains(code) {
                    isAllLookedAt = false
                    continue
                }
                // Only this bundle's data is too large to be copied.
                if ["dataTooLarge", "dataWithoutSpace"].contains((error as? AtriumError)?.reason?.name) {
                    isAllLookedAt = false
                    continue
                }
                // Other updates would fail for the same reason.
                guard let error = error as? AtriumError, !error.isEnvironmental else { return reports }
            }
        }
        guard isAllLookedAt else { return reports }
        try await install.writer.exclusively { try registry.state.setBuiltInStamp(stamp) }
        return reports
    }
}
