import PluginRuntime
import BundleFormat
import CatalogFormat
import Deltas
import Dispatch
import HostSystem
import PluginCore
import TUF
import TUFMetadata

/// A delta from an installed version to a package.
struct PackageDelta {
    let description: CatalogDelta
    /// The target, as the entry of the package describes it.
    let target: FoundTarget
    private let installed: DeltaSource

    /// Chooses the shortest delta from an installed version; `nil` if no delta is shorter than the package.
    init?(to package: RemotePackage, from installed: [DeltaSource]) {
        let usable = package.deltas.compactMap { delta in
            installed.first { $0.sealDigest == delta.baseSeal }.map { (delta, $0) }
        }
        guard let (delta, source) = usable.min(by: { $0.0.length < $1.0.length }),
            delta.length < package.content.file.length
        else { return nil }
        description = delta
        self.installed = source
        target = FoundTarget(
            path: package.path(ofDeltaFrom: delta.base),
            file: TargetFile(length: delta.length, hashes: Hashes([.sha256: delta.sha256])), role: package.target.role)
    }

    /// Applies the delta in a file. The package appears at its path if it has the right length and digest.
    func apply(_ file: FilePath, length: Int, sha256: String, at path: FilePath) async throws {
        try await withCheckedThrowingContinuation { continuation in
            // It computes for seconds, for which it must not have one of the few threads of tasks.
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(
                    with: Result {
                        try Delta.apply(
                            file.string, to: .files(base()), length: Int64(length), sha256: sha256, at: path.string)
                    })
            }
        }
    }

    /// Returns the paths of all files of the installed version, with those of the seal and its signature, in the order of their bytes.
    private func base() throws(AtriumError) -> [String] {
        let seal = try SealedFolder(installed.folder).seal()
        let paths =
            seal.part(for: seal.ownFolder ?? Platform.triple).files.map(\.path) + [Seal.name, Seal.signatureName]
        return paths.sorted { $0.isBefore($1) }.map { "\(installed.folder)/\($0)" }
    }
}
