import Registry
import Resolver
import PluginCore

/// The results of examining offered versions that are newer than the current one.
struct UpdateCandidates {
    /// The newest installable version, according to the manifests.
    var reachable: SemanticVersion?
    /// The reasons why the newest versions above it aren't installable, newest first.
    var refusals: [AtriumError] = []
    /// The number of further versions above it that aren't installable.
    var others = 0
}

extension BundleManager {
    /// The number of versions that are examined individually.
    private nonisolated static var looks: Int { 4 }

    /// Finds the newest installable version.
    ///
    /// Only the newest few versions are examined individually. For the others, a single plan finds the installable version, so
    /// that a catalog of a thousand versions isn't planned a thousand times.
    ///
    /// - Parameter newer: the versions to examine, newest first.
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    nonisolated func updateCandidates(of identifier: String, among newer: [SemanticVersion]) throws(AtriumError)
        -> UpdateCandidates
    {
        var updateCandidates = UpdateCandidates()
        for version in newer.prefix(Self.looks) {
            guard let refusal = try refusal(of: BundleIdentity(identifier: identifier, version: version)) else {
                updateCandidates.reachable = version
                return updateCandidates
            }
            updateCandidates.refusals.append(refusal)
        }
        let rest = newer.dropFirst(Self.looks)
        let isInstalled = try registry.active.version(of: identifier) != nil
        let plan = rest.isEmpty ? nil : try? plan([isInstalled ? .update(identifier) : .install(identifier)])
        if let version = plan?.steps.first(where: { $0.identifier == identifier })?.to, rest.contains(version),
            try refusal(of: BundleIdentity(identifier: identifier, version: version)) == nil
        {
            updateCandidates.reachable = version
        }
        updateCandidates.others = rest.count { version in updateCandidates.reachable.map { version > $0 } ?? true }
        return updateCandidates
    }
}
