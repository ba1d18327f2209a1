import BundleFormat
public import PluginCore
public import PluginRuntime
import Registry

extension OfferedVersions {
    /// Returns the manifest that would be installed for a bundle: the newest one that isn't blocked and is compatible.
    ///
    /// If no version is compatible, returns the newest one that isn't blocked, whose refusal has the reason. Returns `nil` when
    /// none is offered.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`, and the errors of the package.
    public func offer(of identifier: BundleIdentifier) throws(AtriumError) -> Manifest? {
        let versions = try catalog.versions(of: identifier)
        if versions.isEmpty { try catalog.requireReachable() }
        guard let version = try arrival(of: identifier, from: versions, blockRule()) else {
            return nil
        }
        return try catalog.package(BundleIdentity(identifier: identifier, version: version)).manifest
    }

    /// Returns the version that would be installed, from the offered ones, newest first.
    func arrival(
        of identifier: BundleIdentifier, from versions: [SemanticVersion], _ blockReason: VersionQuestion.BlockRule
    ) throws(AtriumError) -> SemanticVersion? {
        var open: [SemanticVersion] = []
        for version in versions where try blockReason(BundleIdentity(identifier: identifier, version: version)) == nil {
            open.append(version)
        }
        // A single version needs no planning.
        guard open.count > 1 else { return open.first ?? versions.first }
        // The refusal of the version reports why there is no plan.
        let change = try? plan([.install(identifier)])
        return change?.steps.first { $0.identifier == identifier }?.to ?? open.first
    }
}
