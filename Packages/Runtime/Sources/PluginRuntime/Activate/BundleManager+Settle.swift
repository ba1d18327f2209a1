internal import PluginCore
internal import PluginRouter

/// What a host does before it runs any plugin.
extension BundleManager {
    /// Brings the sandbox up to what was decided before this host started: versions that brought a host down are put away,
    /// staged versions become active, and what ships with the host in a newer version takes the place of an older one.
    ///
    /// With nothing to do, which is the rule, it writes nothing and takes no lock, and costs the same for any number of
    /// bundles. What can not be done, because another host works on the sandbox or it can not be written, is logged, and waits
    /// for the next start: a host starts in any case.
    ///
    /// - Returns: what became active, or went.
    /// - Throws: ``AtriumError`` with code `registryDamaged` or `registryNewer`.
    @discardableResult
    public func settle() async throws -> [InstallReport] {
        var reports: [InstallReport] = []
        guard FileSystem.isFile(sandbox.registry) else { return [] }
        reports += await attempt("putting away what brought a host down") { try await self.quarantineCulprits() }
        if try !registry.staged().isEmpty {
            reports += await attempt("making staged versions active") { try await self.activateStaged() }
        }
        if let stamp = builtIn?.stamp, try registry.note("built-in") != stamp {
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

    /// Makes staged versions active, all of them or none.
    private func activateStaged() async throws -> [InstallReport] {
        try await exclusively {
            var changes: [RegistryChange] = []
            var reports: [InstallReport] = []
            for bundle in try self.registry.staged() {
                let (manifest, source) = try self.registry.source(of: bundle)
                try self.requireFree(manifest)
                let before = try self.registry.installed(bundle.identity.identifier)?.active
                changes.append(.activate(PlacedVersion(bundle: bundle, manifest: manifest, source: source)))
                reports.append(InstallReport(bundle: bundle, before: before))
            }
            let released = try self.installer.commit(changes)
            try? self.installer.clear(released)
            return reports
        }
    }

    /// Installs what ships with the host in a newer version than the one that is installed, unless the user went back from it.
    private func adoptBuiltIn(_ stamp: String) async throws -> [InstallReport] {
        guard let builtIn else { return [] }
        var wishes: [BundleWish] = []
        for installed in try registry.installed() {
            let identity = installed.active.identity
            let seen = max(installed.previous?.identity.version ?? identity.version, identity.version)
            guard let newest = try builtIn.versions(of: identity.identifier).first, newest > seen else { continue }
            wishes.append(.install(identity.identifier, newest))
        }
        // One that can not be installed, say because it was put away, is no reason against the others.
        var reports: [InstallReport] = []
        for wish in wishes {
            reports += await attempt("installing what ships with the host") { try await self.change([wish]) }
        }
        try await exclusively { try self.registry.keep(note: "built-in", stamp) }
        return reports
    }
}
