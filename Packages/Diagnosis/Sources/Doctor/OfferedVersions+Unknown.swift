public import PluginCore
public import PluginRuntime
import Registry

extension OfferedVersions {
    /// Returns the error for a bundle that is neither installed nor offered, with the identifiers that a word may stand for.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`, and the errors of the registry.
    public func unknown(_ word: String) throws(AtriumError) -> AtriumError {
        let known = Set(try localIdentifiers()).union(try planner.registry.active.identifiers())
        return AtriumError(.bundleUnknown, word, nearest: Nearest.identifiers(to: word, in: known.sorted()))
    }

    /// Returns the identifiers of the bundles in the catalog in alphabetical order; none for a catalog on a server.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    public func localIdentifiers() throws(AtriumError) -> [BundleIdentifier] { try catalog.localIdentifiers() }

    /// Returns whether a bundle is neither installed nor offered.
    ///
    /// - Returns: `false` for an unreachable catalog.
    public func isAbsent(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool {
        guard try planner.registry.active.bundle(identifier) == nil else { return false }
        return (try? catalog.versions(of: identifier))?.isEmpty == true
    }
}
