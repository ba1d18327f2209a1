internal import PluginCore
internal import PluginRouter

/// What an uninstall took away.
public struct UninstallReport: Hashable, Sendable {
    /// What was active, of each bundle that went.
    public var removed: [PluginBundle] = []
    /// The bundles that had gone before, and of which the data went now.
    public var erased: [String] = []
}

extension BundleManager {
    /// Removes bundles, all of them or none; their data stays unless `deleteData`.
    ///
    /// - Parameters:
    ///   - deleteData: whether their data goes too; also that of bundles which are gone but for it.
    ///   - isCascade: whether the bundles go too that can not do without them.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleNeeded` with those who are in the way, `sandboxBusy`.
    @discardableResult
    public func uninstall(
        _ identifiers: [String], deleteData: Bool = false, cascade isCascade: Bool = false
    ) async throws -> UninstallReport {
        // What can not be done is found out before anything is made or locked.
        _ = try parts(of: identifiers, deleteData: deleteData)
        return try await exclusively {
            // Another host may have installed meanwhile what was gone but for its data.
            let (installed, left) = try self.parts(of: identifiers, deleteData: deleteData)
            var report = UninstallReport(erased: left)
            var going: [String] = []
            var released: [PluginBundle] = []
            if !installed.isEmpty {
                let wishes = installed.map { Wish.remove($0, cascade: isCascade) }
                let leaving = try self.resolver.plan(wishes).steps.filter { $0.to == nil }.map(\.identifier)
                report.removed = try leaving.compactMap { try self.registry.active($0) }
                // They may still write their data on their way out.
                released = try await self.withdraw(leaving) { try self.registry.commit(leaving.map { .remove($0) }) }
                going = leaving
            }
            try self.installer.clear(released, deleteDataOf: deleteData ? going + left : [])
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

    /// The bundles that are installed, and those of which nothing is left but data that shall go; each once.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` when one is neither.
    private nonisolated func parts(
        of identifiers: [String], deleteData: Bool
    ) throws(AtriumError) -> (installed: [String], left: [String]) {
        var (installed, left): ([String], [String]) = ([], [])
        for identifier in identifiers where !installed.contains(identifier) && !left.contains(identifier) {
            if deleteData, try registry.active(identifier) == nil,
                let container = try? sandbox.container(of: identifier), FileSystem.isFolder(container)
            {
                left.append(identifier)
            } else {
                _ = try requireInstalled(identifier)
                installed.append(identifier)
            }
        }
        return (installed, left)
    }
}
