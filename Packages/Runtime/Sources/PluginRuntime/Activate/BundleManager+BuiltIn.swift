import Registry
import HostSystem
import PluginCore

/// The packages that ship with the host.
extension BundleManager {
    /// Updates installed bundles to newer versions that ship with the host, unless the user has rolled back from them.
    ///
    /// A rejected package doesn't affect the others, and isn't tried again until other packages ship. After a failure of the
    /// environment, such as a full disk or a busy sandbox, the update is tried again at the next start.
    func adoptBuiltIn(_ stamp: String) async throws -> [InstallReport] {
        guard let builtIn else { return [] }
        let blockReason = try blockRule()
        var reports: [InstallReport] = []
        var isAllLookedAt = true
        for installed in try registry.active.all() {
            let identity = installed.active.identity
            let newest = try builtIn.versions(of: identity.identifier).first {
                try blockReason(BundleIdentity(identifier: identity.identifier, version: $0)) == nil
            }
            guard let newest, newest > identity.version else { continue }
            do {
                reports += try await change([.install(identity.identifier, newest)], because: .required)
            } catch {
                services.log("host", .error, "installing what ships with the host has to wait: \(error)")
                // Other updates may not need the catalog.
                if (error as? AtriumError)?.code == .catalogUnreachable {
                    isAllLookedAt = false
                    continue
                }
                // Other updates would fail for the same reason.
                guard let error = error as? AtriumError, !error.isEnvironmental else { return reports }
            }
        }
        guard isAllLookedAt else { return reports }
        try await exclusively { try self.registry.state.setBuiltInStamp(stamp) }
        return reports
    }
}
