internal import PluginCore
internal import PluginRouter

/// What an uninstall took away.
public struct UninstallReport: Hashable, Sendable {
    /// What was active, of each bundle that went; then the staged versions that went alone.
    public var removed: [PluginBundle] = []
    /// The bundles that had gone before, and of which the data went now.
    public var erased: [String] = []
    /// The versions whose content was blocked and is no longer, of bundles that went now or had gone before.
    public var unblocked: [QuarantinedVersion] = []
}

extension BundleManager {
    /// Removes bundles, all of them or none; their data stays unless `deleteData`.
    ///
    /// It lifts the blocks on their versions, also of a bundle of which nothing else is left. A crash that no host has acted upon yet
    /// becomes a block of that content, because nobody has been told of it.
    ///
    /// - Parameters:
    ///   - deleteData: whether their data goes too; also that of bundles which are gone but for it.
    ///   - isCascade: whether the bundles go too that cannot do without them.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleNeeded` with those who are in the way, `sandboxBusy`,
    ///   `registryDamaged`.
    @discardableResult
    public func uninstall(
        _ identifiers: [String], deleteData: Bool = false, cascade isCascade: Bool = false
    ) async throws -> UninstallReport {
        try await uninstall(identifiers, deleteData: deleteData, cascade: isCascade, isByName: true)
    }

    /// Removes bundles, as the other one.
    ///
    /// - Parameter isByName: whether somebody named them: they do not come back for a request without a question then.
    func uninstall(
        _ identifiers: [String], deleteData: Bool = false, cascade isCascade: Bool = false, isByName: Bool
    ) async throws -> UninstallReport {
        // What cannot be done is found out before anything is made or locked.
        let before = try parts(of: identifiers, deleteData: deleteData).left
        return try await exclusively {
            // Another host may have installed meanwhile what was gone but for its data; and the data of what was to lose it when
            // an uninstall was interrupted has gone by now.
            let (installed, left, blocked) = try self.parts(of: identifiers, deleteData: deleteData, and: before)
            var report = UninstallReport(erased: left)
            report.unblocked = try self.registry.quarantine().filter { blocked.contains($0.identity.identifier) }
            var going: [String] = []
            var released: [PluginBundle] = []
            if !installed.isEmpty {
                let removal = try self.removal(by: installed.map { Wish.remove($0, cascade: isCascade) })
                let leaving = removal.identifiers
                report.unblocked += try self.registry.quarantine().filter {
                    leaving.contains($0.identity.identifier)
                }
                report.removed = try leaving.compactMap { try self.registry.active($0) } + removal.staged
                // What was only staged has no version that stays.
                let all = leaving + installed.filter { !leaving.contains($0) }
                // What the next start would put away is put away with it, and not offered again.
                let book = await self.probation.book
                let culprits = try self.culprits(by: book).filter { leaving.contains($0.bundle.identity.identifier) }
                let removals = leaving.map { identifier in
                    let own = culprits.filter { $0.bundle.identity.identifier == identifier }
                    let reasons = own.map { ($0.bundle, $0.verdict.explanation) }
                    return RegistryChange.remove(
                        identifier, barring: Dictionary(reasons) { first, _ in first }, isByUser: isByName)
                }
                // They may still write their data on their way out.
                released = try await self.withdraw(leaving) {
                    try self.installer.commit(
                        removals + removal.staged.map { .unstage($0) },
                        erasing: deleteData ? all : [])
                }
                for (bundle, verdict) in culprits {
                    self.services.log(
                        bundle.identity.identifier, .error,
                        "\(bundle.identity.version) \(verdict.explanation), and this content of it is blocked")
                }
                // What may have been chance is not held against it: who installs it again wants to try it anew.
                for bundle in released { book.forget(bundle.identity, digest: bundle.digest) }
                going = all
            }
            try self.registry.unblock(report.unblocked.filter { blocked.contains($0.identity.identifier) })
            try self.installer.clear(released, deleteDataOf: deleteData ? going + left : [])
            if deleteData, !going.isEmpty {
                try self.registry.keep(erasures: self.registry.erasures().filter { !going.contains($0) })
            }
            return report
        }
    }

    /// Removes a bundle, as ``uninstall(_:deleteData:cascade:)-([String],_,_)``.
    @discardableResult
    public func uninstall(_ identifier: String, deleteData: Bool = false) async throws -> PluginBundle {
        let gone = try await uninstall([identifier], deleteData: deleteData).removed
        guard let bundle = gone.first else { throw AtriumError(.bundleNotInstalled, identifier) }
        return bundle
    }

    /// Deletes the data that an interrupted uninstall has left. What cannot go now is tried again by the next change; what was
    /// installed again meanwhile keeps it.
    nonisolated func finishErasing() {
        guard let noted = try? registry.erasures(), !noted.isEmpty else { return }
        let left = noted.filter { identifier in
            do throws(AtriumError) {
                if try registry.versions(of: identifier).isEmpty {
                    try FileSystem.remove(try sandbox.container(of: identifier))
                }
                return false
            } catch {
                return true
            }
        }
        try? registry.keep(erasures: left)
    }

    /// The bundles that are installed, those of which nothing is left but data that shall go, and those that are not installed and have
    /// blocked versions; each once.
    ///
    /// What is all gone by now is passed over as long as there is anything to do: an interrupted uninstall can be repeated.
    ///
    /// - Parameter known: those that are among the latter in any case, unless they are installed.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` when one was never here, or nothing of any is.
    private nonisolated func parts(
        of identifiers: [String], deleteData: Bool, and known: [String] = []
    ) throws(AtriumError) -> (installed: [String], left: [String], blocked: [String]) {
        let noted = deleteData ? try registry.erasures() : []
        let blocks = Set(try registry.quarantine().map(\.identity.identifier))
        var (installed, left, blocked): ([String], [String], [String]) = ([], [], [])
        for identifier in identifiers
        where ![installed, left, blocked].joined().contains(identifier) {
            let (active, staged) = (try registry.active(identifier), try registry.staged(identifier))
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
                let wasHere = try !registry.history(of: identifier).isEmpty
                if !deleteData || !wasHere { _ = try requireInstalled(identifier) }
            }
        }
        if installed.isEmpty, left.isEmpty, blocked.isEmpty, let first = identifiers.first {
            _ = try requireInstalled(first)
        }
        return (installed, left, blocked)
    }

    private nonisolated func hasData(_ identifier: String) throws(AtriumError) -> Bool {
        // No other name has a container.
        guard let container = try? sandbox.container(of: identifier) else { return false }
        return try FileSystem.isFolder(container)
    }
}
