import BundleFormat
import CatalogFormat
import Deltas
public import PluginCore
import TUFMetadata
import TUFRepository

// Deltas are made before a package is added, because its entry describes them.
extension CatalogEditor {
    /// The number of earlier versions from which deltas are made, unless the publisher says otherwise.
    ///
    /// Most hosts have the last version or the one before it, and each delta costs the publisher seconds.
    public static let usualDeltas = 2
    /// The numbers of earlier versions from which deltas can be made.
    public static let deltaCounts = 0...CatalogLimits.deltas

    /// A delta that is not published.
    public struct SkippedDelta: Sendable {
        /// The version from which it would lead.
        public let base: SemanticVersion
        /// The reason.
        public let problem: String
    }

    /// Makes deltas to a package from the newest versions before it, unless the catalog has the package already.
    ///
    /// A delta that is longer than half of the package is left out. No delta is a reason not to publish the package.
    ///
    /// - Parameters:
    ///   - package: The package, which gets the deltas.
    ///   - count: The number of earlier versions.
    ///   - folder: A folder for the files of the deltas until they are published.
    /// - Returns: The deltas that could not be made.
    public func makeDeltas(
        to package: inout CheckedPackage, from count: Int, in folder: FilePath
    ) throws -> [SkippedDelta] {
        let identity = package.entry.manifest.identity
        guard try target(CatalogPath.package(identity)) == nil else { return [] }
        var skipped: [SkippedDelta] = []
        for version in try versions(of: identity.identifier).offered.filter({ $0 < identity.version }).prefix(count) {
            let base = BundleIdentity(identifier: identity.identifier, version: version)
            guard let entry = try entry(of: base) else { continue }
            let path = CatalogPath.delta(from: version, to: identity)
            let file = folder.appending(path)
            let old = try content(of: CatalogPath.package(base))
            let length: Int
            do throws(DeltaError) {
                length = try Delta.make(from: .package(old), to: package.path.string, at: file.string)
            } catch {
                skipped.append(SkippedDelta(base: version, problem: error.description))
                continue
            }
            guard let size = PublisherFiles.size(of: package.path), length * 2 <= size else { continue }
            package.entry.deltas.append(
                CatalogDelta(
                    base: version, baseSeal: entry.sealDigest, length: length,
                    sha256: try PackageFile(path: file).digest()))
            package.deltaFiles[path] = file
        }
        return skipped
    }

    /// Returns the path of the file with the content of a target.
    func content(of path: String) throws -> String {
        let role = try role(for: path)
        return try inRepository { () throws(TUFError) in try repository.file(ofTarget: path, role: role) }
    }
}
