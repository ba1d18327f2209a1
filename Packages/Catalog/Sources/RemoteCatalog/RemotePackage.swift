import PluginRuntime
import CatalogFormat
import HostSystem
import PluginCore
import TUF
import TUFMetadata

/// A package with the metadata that describes it.
struct RemotePackage: Sendable {
    let entry: CatalogEntry
    let target: FoundTarget

    var identity: BundleIdentity { entry.manifest.identity }

    /// The target that this host fetches: the part for its platform, or else the package.
    var content: FoundTarget {
        guard let part else { return target }
        return FoundTarget(
            path: CatalogPath.part(of: identity, for: part.platform),
            file: TargetFile(length: part.length, hashes: Hashes([.sha256: part.sha256])), role: target.role)
    }

    /// The deltas to the content.
    var deltas: [CatalogDelta] { part?.deltas ?? entry.deltas }

    /// Returns the path of the delta to the content from a version.
    func path(ofDeltaFrom base: SemanticVersion) -> String {
        CatalogPath.delta(from: base, to: identity, for: part?.platform)
    }

    private var part: CatalogPart? { entry.part(for: Platform.triple) }
}
