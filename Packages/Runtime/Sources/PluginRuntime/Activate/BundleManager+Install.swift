public import PluginCore
internal import PluginRouter
internal import Synchronization

/// What an install or an update did.
public struct InstallReport: Hashable, Sendable {
    /// The version that is active now.
    public let bundle: PluginBundle
    /// The version that was active before; the same when nothing had to be done.
    public let before: PluginBundle?

    /// Whether anything was done.
    public var isChange: Bool { before?.identity != bundle.identity }
}

extension BundleManager {
    /// Installs a bundle from the catalog and makes it active.
    ///
    /// - Parameters:
    ///   - identifier: which bundle.
    ///   - version: which version; `nil` for the newest. Below the active one it is refused.
    /// - Throws: ``AtriumError`` with code `bundleUnknown`, `versionUnknown`, `packageInvalid`, `manifestInvalid`,
    ///   `libraryMissing`, `libraryIncompatible`, `requirementUnmet`, `routeConflict`, `targetConflict`, `downgrade`,
    ///   `versionReused`,
    ///   `sandboxBusy`, `sandboxUnwritable`, `catalogUnreachable`, `inputOutput`. The sandbox is then as it was.
    @discardableResult
    public func install(_ identifier: String, version: SemanticVersion? = nil) async throws -> InstallReport {
        let wanted = try version ?? newest(identifier)
        let identity = BundleIdentity(identifier: identifier, version: wanted)
        if let active = try standing(identity) {
            try checkOrigin(of: active)
            return InstallReport(bundle: active, before: active)
        }
        try requireKnown(identity)
        let package = try catalog.package(identity)
        try check(package.manifest.requirements, of: identity)
        return try await exclusively {
            // Whoever changed the sandbox while this call waited for its turn may have done the same.
            if let active = try self.standing(identity) { return InstallReport(bundle: active, before: active) }
            let before = try self.registry.installed(identifier)?.active
            let bundle = try self.installer.install(package, permitting: self.requireFree)
            await self.deactivate(identifier, for: bundle)
            return InstallReport(bundle: bundle, before: before)
        }
    }

    /// Brings an installed bundle to the newest version in the catalog.
    ///
    /// - Throws: as ``install(_:version:)``, and `bundleNotInstalled`.
    @discardableResult
    public func update(_ identifier: String) async throws -> InstallReport {
        let active = try requireInstalled(identifier).active
        let newest = try catalog.versions(of: identifier).first
        guard let newest, newest > active.identity.version else { return InstallReport(bundle: active, before: active) }
        return try await install(identifier, version: newest)
    }

    /// Makes the previous version active again. The version it replaces is kept, and another rollback returns to it.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `nothingToRollBack`, `routeConflict`, `targetConflict`,
    ///   `serviceConflict`, `sandboxBusy`.
    @discardableResult
    public func rollBack(_ identifier: String) async throws -> InstallReport {
        try await exclusively {
            let installed = try self.requireInstalled(identifier)
            guard let previous = installed.previous else {
                throw AtriumError(
                    .nothingToRollBack, identifier, detail: "\(installed.active.identity.version) is alone")
            }
            let folder = self.sandbox.folder(of: previous.identity, digest: previous.digest)
            guard FileSystem.isFolder(folder) else {
                throw AtriumError(.bundleUnavailable, previous.identity.description, detail: "\(folder) is gone")
            }
            let manifest = try self.registry.manifest(of: previous)
            try self.requireFree(manifest)
            try self.registry.rollBack(installed, to: previous, manifest)
            await self.deactivate(identifier, for: previous)
            return InstallReport(bundle: previous, before: installed.active)
        }
    }

    /// Removes a bundle; its data stays unless `deleteData`.
    ///
    /// - Returns: what was active.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`.
    @discardableResult
    public func uninstall(_ identifier: String, deleteData: Bool = false) async throws -> PluginBundle {
        try await exclusively {
            let installed = try self.requireInstalled(identifier)
            // It may still write its data on its way out.
            try await self.withdraw(identifier) { try self.registry.remove(installed) }
            try self.installer.clear(installed, deleteData: deleteData)
            return installed.active
        }
    }

    /// What is installed under an identifier.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, what is near included.
    public nonisolated func requireInstalled(_ identifier: String) throws(AtriumError) -> InstalledBundle {
        if let installed = try registry.installed(identifier) { return installed }
        throw AtriumError(
            .bundleNotInstalled, identifier,
            nearest: Nearest.identifiers(to: identifier, in: try registry.identifiers())
        )
    }
}

extension BundleManager {
    private func newest(_ identifier: String) throws(AtriumError) -> SemanticVersion {
        if let newest = try catalog.versions(of: identifier).first { return newest }
        throw try unknown(identifier)
    }

    /// The active version when it is the one that is wanted; an older one is never wanted.
    private nonisolated func standing(_ wanted: BundleIdentity) throws(AtriumError) -> PluginBundle? {
        guard let active = try registry.installed(wanted.identifier)?.active else { return nil }
        if wanted.version < active.identity.version {
            throw AtriumError(.downgrade, wanted.description, detail: "\(active.identity.version) is active")
        }
        return active.identity == wanted ? active : nil
    }

    /// Whether the catalog's package of an installed version is the one that it came in. A version names one content; an
    /// author who packs another under the same name must hear of it.
    private func checkOrigin(of bundle: PluginBundle) throws(AtriumError) {
        guard try catalog.versions(of: bundle.identity.identifier).contains(bundle.identity.version) else { return }
        let digest = try PackageFile(path: catalog.package(bundle.identity).path).digest()
        guard digest != bundle.digest else { return }
        throw AtriumError(
            .versionReused, bundle.identity.description,
            detail: "the catalog's package is \(digest.prefix(12)), the installed one \(bundle.digest.prefix(12))"
        )
    }

    private func requireKnown(_ identity: BundleIdentity) throws(AtriumError) {
        if try catalog.versions(of: identity.identifier).isEmpty { throw try unknown(identity.identifier) }
    }

    private func unknown(_ identifier: String) throws(AtriumError) -> AtriumError {
        let known = Set(try catalog.listing().packages.map(\.manifest.identity.identifier)).sorted()
        return AtriumError(.bundleUnknown, identifier, nearest: Nearest.identifiers(to: identifier, in: known))
    }

    /// Whether each bundle that this one calls is installed or can be, in a version that will do.
    nonisolated func check(_ requirements: [BundleRequirement], of identity: BundleIdentity) throws(AtriumError) {
        for requirement in requirements {
            let installed = try registry.installed(requirement.identifier)?.active.identity.version
            let offered = try catalog.versions(of: requirement.identifier)
            // What is installed stays, or gives way to something newer; an older version can not be had.
            let reachable = installed.map { now in [now] + offered.filter { $0 > now } } ?? offered
            guard !reachable.contains(where: requirement.versions.contains) else { continue }
            let found = offered.isEmpty ? "none" : offered.map(\.description).joined(separator: ", ")
            let state = installed.map { "\($0) is installed" } ?? "the catalog has \(found)"
            throw AtriumError(
                .requirementUnmet, identity.description,
                detail: "it calls \(requirement.identifier) \(requirement.versions), and \(state)"
            )
        }
    }

    /// Whether neither code that runs nor the app has a route that a manifest declares. Of these the registry knows nothing, so
    /// it is asked in the turn in which the registry is changed.
    nonisolated func requireFree(_ manifest: Manifest) throws(AtriumError) {
        try board.requireFree(manifest, besides: rules.withLock { $0 }, converters: converters)
    }

    /// Runs `body` as the only one, of all hosts and of all calls in this one, that changes the sandbox.
    private func exclusively<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        hasChanged = true
        return try await turns.take { try await self.whileOpen(exclusively: true, body) }
    }
}
