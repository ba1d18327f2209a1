import HostSystem
public import PluginCore
package import Zip

extension SealedPackage {
    /// Extracts the package into a new folder in one pass: every file is inflated, checked, hashed and written.
    ///
    /// The libraries for other hosts are left out. At the end, all files are synced to the disk. Memory use doesn't depend on the sizes.
    /// When it throws, the folder doesn't exist.
    ///
    /// - Parameters:
    ///   - folder: the folder to create; its parent must exist.
    ///   - platform: the platform or build whose libraries are extracted; `nil` for those of this host.
    ///   - unchanged: an installed version whose files are shared where they equal the sealed ones.
    ///   - progress: called with the completed and the total number of uncompressed bytes.
    /// - Throws: ``AtriumError`` with code `sealBroken` for the first file that differs from the sealed one, `packageInvalid`
    ///   for a damaged archive, `storageFull` or `inputOutput`.
    public func extract(
        to folder: FilePath, for platform: String? = nil, sharing unchanged: UnchangedFiles? = nil,
        progress: (_ bytesDone: UInt64, _ bytesTotal: UInt64) -> Void = { _, _ in }
    ) throws(AtriumError) {
        let observer = try SealObserver(of: self, for: platform, sharing: unchanged)
        do {
            try archive.extract(to: folder.string, durability: .synced, observer: observer, progress: progress)
        } catch {
            throw observer.findings.refusal(of: path.lastComponent) ?? .invalidPackage(path, error)
        }
    }

    /// Reads all contents without writing them, and compares them with the seal.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken` and all differences, or `packageInvalid` for a damaged archive.
    public func verifyContents() throws(AtriumError) {
        if let refusal = try contentFindings().refusal(of: path.lastComponent) { throw refusal }
    }

    /// Reads all contents without writing them, and returns the differences from the seal.
    package func contentFindings() throws(AtriumError) -> [SealFinding] {
        let observer = try SealObserver(of: self, isLenient: true)
        do {
            try archive.verifyContents(observer: observer)
            return observer.findings
        } catch {
            return observer.findings + [SealFinding(.invalidPackage(path, error))]
        }
    }
}

/// Hashes every file of a package while it is extracted, and rejects content that differs from the seal.
package final class SealObserver: ExtractionObserver {
    package static let difference = ErrorReason("contentDiffers")

    private let seal: Seal
    /// The platform or build whose libraries are extracted.
    private let platform: String?
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
    ///   - platform: the platform or build whose libraries are extracted; `nil` for those of this host.
    ///   - unchanged: an installed version whose equal files need not be written again.
    ///   - isLenient: whether differences are recorded instead of rejected.
    init(
        of package: SealedPackage, for platform: String? = nil, sharing unchanged: UnchangedFiles? = nil,
        isLenient: Bool = false
    ) throws(AtriumError) {
        self.platform = platform ?? package.seal.ownFolder
        self.unchanged = unchanged
        seal = package.seal
        // The bytes that were verified in memory must reach the disk even if the package is changed meanwhile.
        beside = [
            Seal.name: package.digest, Seal.signatureName: try ContentDigest.of(package.signature),
        ]
        self.isLenient = isLenient
    }

    package func isWanted(_ entry: ZipEntry) -> Bool {
        Seal.platform(of: entry.name).map { $0 == platform } ?? true
    }

    package func standIn(for entry: ZipEntry) -> Int32? {
        guard let unchanged, let file = seal.file(entry.name) else { return nil }
        return unchanged.open(file)?.takeDescriptor()
    }

    package func begin(_ entry: ZipEntry) {
        hasher = SHA256Hasher()
    }

    package func take(_ piece: RawSpan) {
        piece.withUnsafeBytes { hasher.update($0) }
    }

    package func end(_ entry: ZipEntry) throws(ZipError) {
        // A file that isn't sealed has been reported already.
        guard let sealed = beside[entry.name] ?? seal.file(entry.name)?.sha256 else { return }
        guard (try? ContentDigest.finish(hasher)) != sealed else { return }
        findings.append(SealFinding(.sealBroken, entry.name, Self.difference))
        if !isLenient { throw .refused(entry, "\(Self.difference)") }
    }
}

/// The files of an installed version that a newer version shares by hard links instead of writing them again.
///
/// Each file is hashed through the descriptor that is then linked, so it equals the sealed one whatever happens to the old
/// version; the package's own copy is not read. Libraries are never shared, because the loader would give both versions one
/// image.
public struct UnchangedFiles: Sendable {
    /// The minimum size of a shared file, in bytes; smaller files are written as fast as they are linked.
    static let smallest = 1 << 16

    private let folder: FilePath
    private let seal: Seal

    /// Creates the list for the version in a folder; fails when its seal can't be read.
    public init?(of folder: FilePath) {
        guard let seal = try? SealedFolder(folder).seal() else { return nil }
        self.folder = folder
        self.seal = seal
    }

    /// Returns the number of bytes of a newer version that need not be written, which reads and hashes the files.
    ///
    /// - Parameter folder: the folder of the newer version; zero bytes are shared where the file system has no hard links.
    package func size(sharedWith newer: Seal, in folder: FilePath) -> UInt64 {
        newer.files.reduce(0) { size, file in
            guard let own = open(file) else { return size }
            return own.canHaveName(in: folder) ? size + file.size : size
        }
    }

    /// Opens a file if its content and mode are the sealed ones.
    func open(_ file: Seal.File) -> OpenFile? {
        guard file.size >= Self.smallest, !file.path.utf8.starts(with: "lib/".utf8), let own = seal.file(file.path),
            own.sha256 == file.sha256, own.isExecutable == file.isExecutable
        else { return nil }
        let path = folder.appending(file.path)
        guard let opened = OpenFile(path, mode: file.isExecutable ? 0o555 : 0o444),
            (try? ContentDigest.of(file: path, reading: opened.read)) == file.sha256
        else { return nil }
        return opened
    }
}
