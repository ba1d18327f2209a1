public import PluginCore
public import PluginRuntime
public import Registry

extension UninstallTransaction {
    /// Uninstalls the bundles that are no longer needed; their data stays.
    ///
    /// - Returns: the removed versions.
    /// - Throws: as ``run(_:deleteData:cascade:)``.
    @discardableResult
    public func removeUnneeded() async throws -> [PluginBundle] {
        if try unneeded().isEmpty { return [] }
        // Another process can request one of the bundles while this waits for the lock.
        return try await run(
            { () throws(AtriumError) in try unneeded().map(\.identifier) }, deleteData: false, cascade: false,
            isByName: false
        ).removed
    }

    /// Returns the bundles that were installed only as requirements and that no bundle needs any longer.
    ///
    /// A bundle is needed if one that isn't itself installed as a requirement requires it directly or indirectly, in its active,
    /// staged or kept version.
    ///
    /// - Throws: the errors of the registry.
    public func unneeded() throws(AtriumError) -> [PluginBundle] {
        let reasons = try registry.notes.reasons()
        guard reasons.values.contains(.required) else { return [] }
        let installed = try registry.active.all()
        var needs: [BundleIdentifier: Set<BundleIdentifier>] = [:]
        for bundle in try installed.flatMap({ [$0.active, $0.previous].compactMap(\.self) }) + registry.staged.all() {
            needs[bundle.identifier, default: []].formUnion(bundle.requirements.map(\.identifier))
        }
        var open = needs.keys.filter { reasons[$0] != .required }
        var needed = Set(open)
        while let identifier = open.popLast() {
            for other in needs[identifier] ?? [] where needed.insert(other).inserted { open.append(other) }
        }
        return installed.map(\.active).filter { !needed.contains($0.identifier) }
    }
}
