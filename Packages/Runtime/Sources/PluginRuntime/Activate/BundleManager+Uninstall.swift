public import Registry
import HostSystem
import Resolver
internal import PluginCore
internal import PluginRouter

/// The result of an uninstallation.
public struct UninstallReport: Hashable, Sendable {
    /// The active version of each removed bundle, followed by the staged versions that were removed alone.
    public var removed: [PluginBundle] = []
    /// The bundles that had been uninstalled before, and whose data was deleted now.
    public var erased: [String] = []
    /// The versions whose blocks were lifted, of bundles that were uninstalled now or before.
    public var unblocked: [QuarantinedVersion] = []
}

extension BundleManager {
    /// Uninstalls bundles atomically; their data stays unless its deletion is requested.
    ///
    /// Blocks on their versions are lifted, also for bundles that are uninstalled already. A crash that hasn't been reported
    /// yet becomes a block on that content, because no user has seen it.
    ///
    /// - Parameters:
    ///   - deleteData: whether their data is deleted too, also of bundles that are uninstalled already.
    ///   - isCascade: whether dependent bundles are removed too.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleNeeded` with the dependent bundles, `sandboxBusy`,
    ///   `registryDamaged`.
    @discardableResult
    public func uninstall(
        _ identifiers: [String], deleteData: Bool = false, cascade isCascade: Bool = false
    ) async throws -> UninstallReport {
        try await uninstall(identifiers, deleteData: deleteData, cascade: isCascade, isByName: true)
    }

    /// Uninstalls bundles.
    ///
    /// - Parameter isByName: whether a user has named them, so that they aren't installed on demand again without a question.
    func uninstall(
        _ identifiers: [String], deleteData: Bool = false, cascade isCascade: Bool = false, isByName: Bool
    ) async throws -> UninstallReport {
        // Impossible requests fail here, before anything is created or locked.
        let before = try parts(of: identifiers, deleteData: deleteData).left
        return try await exclusively {
            // Another host may have installed a bundle meanwhile, and data of an interrupted deletion has been deleted by now.
            let (installed, left, blocked) = try self.parts(of: identifiers, deleteData: deleteData, and: before)
            var report = UninstallReport(erased: left)
            report.unblocked = try self.registry.quarantine.all().filter { blocked.contains($0.identity.identifier) }
            var going: [String] = []
            var released: [PluginBundle] = []
            if !installed.isEmpty {
                let removal = try self.removalPlan(by: installed.map { ResolverRequest.remove($0, cascade: isCascade) })
                let leaving = removal.identifiers
                report.unblocked += try self.registry.quarantine.all().filter {
                    leaving.contains($0.identity.identifier)
                }
                report.removed = try leaving.compactMap { try self.registry.active.version(of: $0) } + removal.staged
                // A bundle that is only staged has no version that stays.
                let all = leaving + installed.filter { !leaving.contains($0) }
                // Versions that the next start would quarantine are blocked now, so that they aren't offered again.
                let crashLogs = await self.crashMonitor.crashLogs
                let crashedVersions = try self.crashedVersions(by: crashLogs).filter {
                    leaving.contains($0.bundle.identity.identifier)
                }
                let removals = leaving.map { identifier in
                    let own = crashedVersions.filter { $0.bundle.identity.identifier == identifier }
                    let reasons = own.map { ($0.bundle, $0.crash.explanation) }
                    return RegistryChange.remove(
                        identifier, blocking: Dictionary(reasons) { first, _ in first }, isByUser: isByName)
                }
                // The bundles may write data while they end, so it is deleted afterwards.
                released = try await self.deactivateForRemoval(leaving) {
                    try self.installer.commit(
                        removals + removal.staged.map { .unstage($0) },
                        erasing: deleteData ? all : [])
                }
                for (bundle, crash) in crashedVersions {
                    self.services.log(
                        bundle.identity.identifier, .error,
                        "\(bundle.identity.version) \(crash.explanation), and this content of it is blocked")
                }
                // Strikes may be coincidences, and don't count against a version that is installed again.
                for bundle in released { crashLogs.forget(bundle.identity, digest: bundle.digest) }
                going = all
            }
            try self.registry.quarantine.unblock(report.unblocked.filter { blocked.contains($0.identity.identifier) })
            try self.installer.clear(released, deleteDataOf: deleteData ? going + left : [])
            if deleteData, !going.isEmpty {
                try self.registry.erasures.remove(going)
            }
            return report
        }
    }

    /// Uninstalls a bundle.
    ///
    /// See ``uninstall(_:deleteData:cascade:)-([String],_,_)`` for the details and errors.
    @discardableResult
    public func uninstall(_ identifier: String, deleteData: Bool = false) async throws -> PluginBundle {
        let gone = try await uninstall([identifier], deleteData: deleteData).removed
        guard let bundle = gone.first else { throw AtriumError(.bundleNotInstalled, identifier) }
        return bundle
    }

    /// Deletes the data that an interrupted uninstallation has left, except that of bundles that were installed again.
    ///
    /// Failed deletions are repeated at the next change.
    nonisolated func finishErasing() {
        guard let pending = try? registry.erasures.all(), !pending.isEmpty else { return }
        let finished = pending.filter { identifier in
            do throws(AtriumError) {
                if try registry.versions.all(of: identifier).isEmpty {
                    try FileSystem.remove(try sandbox.container(of: identifier))
                }
                return true
            } catch {
                return false
            }
        }
        try? registry.erasures.remove(finished)
    }

    /// Groups bundles into installed ones, those with only data left to delete, and uninstalled ones with blocked versions.
    ///
    /// Bundles of which nothing is left are skipped as long as anything can be done, so that an interrupted uninstallation can be repeated.
    ///
    /// - Parameter known: bundles that belong to the second group unless they are installed.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` for a bundle that was never installed, or when nothing can be done.
    private nonisolated func parts(
        of identifiers: [String], deleteData: Bool, and known: [String] = []
    ) throws(AtriumError) -> (installed: [String], left: [String], blocked: [String]) {
        let noted = deleteData ? try registry.erasures.all() : []
        let blocks = Set(try registry.quarantine.all().map(\.identity.identifier))
        var (installed, left, blocked): ([String], [String], [String]) = ([], [], [])
        for identifier in identifiers
        where ![installed, left, blocked].joined().contains(identifier) {
            let (active, staged) = (
                try registry.active.version(of: identifier), try registry.staged.version(of: identifier)
            )
            if active != nil || staged != nil {
                installed.append(identifier)
                continue
            }
            if blocks.contains(identifier) { blocked.append(identifier) }
            if deleteData, known.contains(identifier) || noted.contains(identifier) {
                left.append(identifier)
            } else if deleteData, try hasData(identifier) {
                left.append(identifier)
            } else if !blocks.contains(identifier) {
                let wasHere = try !registry.history.all(of: identifier).isEmpty
                if !deleteData || !wasHere { _ = try requireInstalled(identifier) }
            }
        }
        if installed.isEmpty, left.isEmpty, blocked.isEmpty, let first = identifiers.first {
            _ = try requireInstalled(first)
        }
        return (installed, left, blocked)
    }

    private nonisolated func hasData(_ identifier: String) throws(AtriumError) -> Bool {
        // A name that isn't a valid identifier has no container.
        guard let container = try? sandbox.container(of: identifier) else { return false }
        return try FileSystem.isFolder(container)
    }
}
