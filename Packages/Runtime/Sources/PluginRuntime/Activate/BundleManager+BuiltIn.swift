import PluginCore

/// What ships with the host.
extension BundleManager {
    /// Under what the registry keeps which packages were looked at.
    static let builtInNote = "built-in"

    /// Installs what ships with the host in a newer version than the one that is installed, unless the user went back from it.
    ///
    /// What is not let in, say because it was put away, is no reason against the others, and is not tried again before something else
    /// ships. What fails because of the place, a full disk or another host, is tried again at the next start.
    func adoptBuiltIn(_ stamp: String) async throws -> [InstallReport] {
        guard let builtIn else { return [] }
        let bar = try bars()
        var reports: [InstallReport] = []
        var isAllLookedAt = true
        for installed in try registry.installed() {
            let identity = installed.active.identity
            let newest = try builtIn.versions(of: identity.identifier).first {
                try bar(BundleIdentity(identifier: identity.identifier, version: $0)) == nil
            }
            guard let newest, newest > identity.version else { continue }
            do {
                reports += try await change([.install(identity.identifier, newest)], because: .required)
            } catch {
                services.log("host", .error, "installing what ships with the host has to wait: \(error)")
                // Another may need nothing of the catalog.
                if (error as? AtriumError)?.code == .catalogUnreachable {
                    isAllLookedAt = false
                    continue
                }
                // Nothing else would fare better.
                guard let error = error as? AtriumError, !error.isOfPlace else { return reports }
            }
        }
        guard isAllLookedAt else { return reports }
        try await exclusively { try self.registry.keep(note: Self.builtInNote, stamp) }
        return reports
    }
}
