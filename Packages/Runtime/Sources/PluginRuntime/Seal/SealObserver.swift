import PluginCore
import Signing
import Zip

/// Hashes every file of a package on its way to the disk, and lets no other content through than the one that is sealed.
struct SealObserver: ExtractionObserver {
    static let difference = "its content is not the one that is sealed"

    private let seal: Seal
    /// What lies beside the seal, which it does not name.
    private let beside: [String: String]
    /// A Boolean value that indicates whether what differs is noted, and not refused.
    private let isLenient: Bool
    private(set) var findings: [SealFinding] = []
    private var hasher = SHA256Hasher()
    private let unchanged: UnchangedFiles?

    /// - Parameters:
    ///   - unchanged: another version on the disk, whose files need not be written again.
    ///   - isLenient: whether what differs is noted, and not refused.
    init(
        of package: SealedPackage, sharing unchanged: UnchangedFiles? = nil, isLenient: Bool = false
    ) throws(AtriumError) {
        self.unchanged = unchanged
        seal = package.seal
        // What was judged in memory is what goes to the disk, should somebody write into the package meanwhile.
        beside = [
            Seal.name: package.digest, Seal.signatureName: try ContentDigest.of(package.signatureSource),
        ]
        self.isLenient = isLenient
    }

    func standIn(for entry: ZipEntry) -> Int32? {
        guard let unchanged, let file = seal.file(entry.name) else { return nil }
        return unchanged.open(file)
    }

    mutating func begin(_ entry: ZipEntry) {
        hasher = SHA256Hasher()
    }

    mutating func take(_ piece: RawSpan) {
        piece.withUnsafeBytes { hasher.update($0) }
    }

    mutating func end(_ entry: ZipEntry) throws(ZipError) {
        // What is not sealed at all has been told.
        guard let sealed = beside[entry.name] ?? seal.file(entry.name)?.sha256 else { return }
        guard (try? ContentDigest.finish(hasher)) != sealed else { return }
        findings.append(SealFinding(.sealBroken, entry.name, Self.difference))
        if !isLenient { throw .refused(entry, Self.difference) }
    }
}
