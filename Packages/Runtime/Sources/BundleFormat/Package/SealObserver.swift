import HostSystem
import PluginCore
import Signing
package import Zip

/// Hashes every file of a package while it is extracted, and rejects content that differs from the seal.
package struct SealObserver: ExtractionObserver {
    package static let difference = "its content does not match the seal"

    private let seal: Seal
    /// The digests of the files that the seal doesn't list: the seal itself and its signature.
    private let beside: [String: String]
    /// A Boolean value that indicates whether differences are recorded instead of rejected.
    private let isLenient: Bool
    private(set) var findings: [SealFinding] = []
    private var hasher = SHA256Hasher()
    private let unchanged: UnchangedFiles?

    /// Creates an observer for the extraction of a package.
    ///
    /// - Parameters:
    ///   - unchanged: an installed version whose equal files need not be written again.
    ///   - isLenient: whether differences are recorded instead of rejected.
    init(
        of package: SealedPackage, sharing unchanged: UnchangedFiles? = nil, isLenient: Bool = false
    ) throws(AtriumError) {
        self.unchanged = unchanged
        seal = package.seal
        // The bytes that were verified in memory must reach the disk even if the package is changed meanwhile.
        beside = [
            Seal.name: package.digest, Seal.signatureName: try ContentDigest.of(package.signatureSource),
        ]
        self.isLenient = isLenient
    }

    package func standIn(for entry: ZipEntry) -> Int32? {
        guard let unchanged, let file = seal.file(entry.name) else { return nil }
        return unchanged.open(file)?.takeDescriptor()
    }

    package mutating func begin(_ entry: ZipEntry) {
        hasher = SHA256Hasher()
    }

    package mutating func take(_ piece: RawSpan) {
        piece.withUnsafeBytes { hasher.update($0) }
    }

    package mutating func end(_ entry: ZipEntry) throws(ZipError) {
        // A file that isn't sealed has been reported already.
        guard let sealed = beside[entry.name] ?? seal.file(entry.name)?.sha256 else { return }
        guard (try? ContentDigest.finish(hasher)) != sealed else { return }
        findings.append(SealFinding(.sealBroken, entry.name, Self.difference))
        if !isLenient { throw .refused(entry, Self.difference) }
    }
}
