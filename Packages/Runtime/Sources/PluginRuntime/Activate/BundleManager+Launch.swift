import Registry
import HostSystem
internal import PluginCore
internal import PluginRouter

/// The preparations of a host before it runs any plugin.
extension BundleManager {
    /// Prepares the sandbox for launch: removes leftovers, quarantines crashed versions, activates staged ones, and adopts
    /// built-in updates.
    ///
    /// Usually there is nothing to do; then it writes nothing, takes no lock, and its cost doesn't depend on the number of
    /// bundles. A step that fails, because another host is working on the sandbox or it can't be written, is logged and left
    /// for the next start. A version that waits to be quarantined isn't loaded meanwhile.
    ///
    /// - Returns: the versions that were activated or removed.
    /// - Throws: ``AtriumError`` with code `registryDamaged` or `registryNewer`, or `inputOutput` or `sandboxUnwritable` when
    ///   the existence of a registry can't be determined.
    @discardableResult
    public func prepareForLaunch() async throws -> [InstallReport] {
        var reports: [InstallReport] = []
        await sweepStaging()
        guard try FileSystem.isFile(sandbox.registry) else {
            try registry.requireKept()
            return []
        }
        reports += await attempt("quarantining versions that crashed a host") {
            try await self.quarantineCrashedVersions()
        }
        if try !registry.staged.all().isEmpty {
            reports += await attempt("making staged versions active") { try await self.activateStaged() }
        }
        if let stamp = builtIn?.stamp, try registry.state.builtInStamp() != stamp {
            reports += await attempt("looking at what ships with the host") { try await self.adoptBuiltIn(stamp) }
        }
        return reports
    }

    /// Runs a step, logs its failure, and returns its results.
    private func attempt(
        _ what: String, _ work: @Sendable () async throws -> [InstallReport]
    ) async -> [InstallReport] {
        do {
            return try await work()
        } catch {
            services.log("host", .error, "\(what) has to wait: \(error)")
            return []
        }
    }
}
