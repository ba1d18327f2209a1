public import PluginCore

/// Bundles that came along with others and outlived them.
extension BundleManager {
    /// The bundles that were installed only because another bundle requires them, and that no bundle needs any more: neither one that
    /// somebody asked for, in the version that is active, staged or kept to roll back to, nor one that such a bundle needs.
    ///
    /// - Throws: what is wrong with the registry.
    public nonisolated func unneeded() throws(AtriumError) -> [PluginBundle] {
        let reasons = try registry.reasons()
        guard reasons.values.contains(.required) else { return [] }
        let installed = try registry.installed()
        var needs: [String: Set<String>] = [:]
        for bundle in installed {
            let identifier = bundle.active.identity.identifier
            needs[identifier] = Set(try registry.requirements(of: identifier).map(\.identifier))
        }
        for bundle in try installed.compactMap(\.previous) + registry.staged() {
            let others = try registry.manifest(of: bundle).requirements.map(\.identifier)
            needs[bundle.identity.identifier, default: []].formUnion(others)
        }
        var open = needs.keys.filter { reasons[$0] != .required }
        var needed = Set(open)
        while let identifier = open.popLast() {
            for other in needs[identifier] ?? [] where needed.insert(other).inserted { open.append(other) }
        }
        return installed.map(\.active).filter { !needed.contains($0.identity.identifier) }
    }

    /// Removes the bundles that ``unneeded()`` names; their data stays.
    ///
    /// - Returns: what was removed.
    /// - Throws: as ``uninstall(_:deleteData:cascade:)-([String],_,_)``.
    @discardableResult
    public func removeUnneeded() async throws -> [PluginBundle] {
        let identifiers = try unneeded().map(\.identity.identifier)
        if identifiers.isEmpty { return [] }
        return try await uninstall(identifiers, isByName: false).removed
    }
}
