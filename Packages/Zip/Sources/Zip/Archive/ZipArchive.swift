/// A zip archive that was found sound as a whole. Opening judges every name, header and offset (and throws
/// on the first that is wrong); contents are checked when they are read.
///
/// ```swift
/// let archive = try ZipArchive(path: "shop-1.0.0.zip", limits: ZipLimits(entryCount: 1_000))
/// let manifest = try archive.contents(of: "manifest.json", limit: 1 << 20)
/// try archive.extract(to: "Staging/shop", durability: .synced)
/// ```
///
/// Safe to use from several threads: it only reads, and it keeps the file open, so that replacing the file
/// at `path` does not change what was judged.
public final class ZipArchive: Sendable {
    /// All entries, in the directory's order.
    public let entries: [ZipEntry]
    /// Bytes of all files together, uncompressed.
    public let totalUncompressedSize: UInt64

    let file: FileDescriptor
    let paths: [EntryPath]
    private let indices: [[UInt8]: Int]

    /// Opens and judges the archive at `path`.
    ///
    /// - Throws: ``ZipError``: ``ZipError/Code/system`` when the file cannot be read, otherwise the rule that
    ///   the archive breaks.
    public init(path: String, limits: ZipLimits = .none) throws(ZipError) {
        let file = try FileDescriptor.openForReading(path)
        let verdict = try ArchiveJudge(file: file, limits: limits).judge()
        self.file = file
        entries = verdict.entries
        paths = verdict.paths
        totalUncompressedSize = verdict.totalUncompressedSize
        // By bytes: `String` would find names that merely look the same.
        indices = Dictionary(
            zip(verdict.entries.map { Array($0.name.utf8) }, verdict.entries.indices),
            uniquingKeysWith: { first, _ in first })
    }

    /// The entry of exactly that name, byte by byte; a folder's ends in `/`.
    public func entry(named name: String) -> ZipEntry? {
        indices[Array(name.utf8)].map { entries[$0] }
    }

    /// Reads a whole file of the archive into memory.
    ///
    /// - Parameter limit: The most bytes the file may have, uncompressed.
    /// - Throws: ``ZipError``: ``ZipError/Code/noSuchEntry`` (also for a folder), ``ZipError/Code/limitExceeded``,
    ///   or what is wrong with the content.
    public func contents(of name: String, limit: Int) throws(ZipError) -> [UInt8] {
        guard let entry = entry(named: name), !entry.isDirectory else {
            throw ZipError(.noSuchEntry, entry: name, path: file.path)
        }
        guard entry.uncompressedSize <= UInt64(clamping: limit) else {
            throw ZipError(.limitExceeded, entry: name, detail: "\(entry.uncompressedSize) bytes, \(limit) allowed")
        }
        var bytes: [UInt8] = []
        var decoder = EntryDecoder(file)
        try decoder.decode(entry) { (piece) throws(ZipError) in
            piece.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return bytes
    }

    /// Reads all contents and keeps none: after it, extracting can fail for no fault of the archive.
    ///
    /// - Throws: ``ZipError``: what is wrong with the first content that is; ``ZipError/Code/cancelled``.
    public func verifyContents() throws(ZipError) {
        var nobody = NoObserver()
        try verifyContents(observer: &nobody)
    }

    /// Reads all contents in the directory's order, and shows them to an observer.
    ///
    /// - Throws: as ``verifyContents()``, also what the observer throws.
    public func verifyContents(observer: inout some ExtractionObserver) throws(ZipError) {
        var decoder = EntryDecoder(file)
        for entry in entries {
            if !entry.isDirectory { try observer.begin(entry) }
            try decoder.decode(entry) { (piece) throws(ZipError) in
                try Self.checkCancellation()
                try observer.take(piece)
            }
            if !entry.isDirectory { try observer.end(entry) }
        }
    }

    static func checkCancellation() throws(ZipError) {
        if Task.isCancelled { throw ZipError(.cancelled) }
    }
}
