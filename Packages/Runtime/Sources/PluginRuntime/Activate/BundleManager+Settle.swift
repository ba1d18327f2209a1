internal import PluginCore
internal import PluginRouter

/// What a host does before it runs any plugin.
extension BundleManager {
    /// Brings the sandbox up to what was decided before this host started: half-done work is swept away, versions that
    /// brought a host down are put away, staged versions become active, and what ships with the host in a newer version
    /// takes the place of an older one.
    ///
    /// With nothing to do, which is the rule, it writes nothing and takes no lock, and costs the same for any number of
    /// bundles. What cannot be done, because another host works on the sandbox or it cannot be written, is logged, and waits
    /// for the next start: a host starts in any case. A version that waits to be put away is not loaded meanwhile.
    ///
    /// - Returns: what became active, or went.
    /// - Throws: ``AtriumError`` with code `registryDamaged` or `registryNewer`, or `inputOutput` or `sandboxUnwritable` when it can't be
    ///   known whether there is a registry.
    @discardableResult
    public func settle() async throws -> [InstallReport] {
        var reports: [InstallReport] = []
        await sweepStaging()
        guard try FileSystem.isFile(sandbox.registry) else {
            try registry.requireKept()
            return []
        }
        reports += await attempt("putting away what brought a host down") { try await self.quarantineCulprits() }
        if try !registry.staged().isEmpty {
            reports += await attempt("making staged versions active") { try await self.activateStaged() }
        }
        if let stamp = builtIn?.stamp, try registry.note(Self.builtInNote) != stamp {
            reports += await attempt("looking at what ships with the host") { try await self.adoptBuiltIn(stamp) }
        }
        return reports
    }

    /// What `work` did; nothing when it fails, which is logged.
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
