import HostSystem

/// A validated zip archive.
///
/// Opening an archive validates all names, headers and offsets, and throws the first error. Contents are checked when they are read.
///
/// ```swift
/// let archive = try ZipArchive(path: "shop-1.0.0.zip", limits: ZipLimits(entryCount: 1_000))
/// let manifest = try archive.contents(of: "manifest.json", limit: 1 << 20)
/// try archive.extract(to: "Staging/shop", durability: .synced)
/// ```
///
/// Archives can be used from several threads, because they only read. They keep the file open, so replacing the file at the path has no
/// effect on them.
public final class ZipArchive: Sendable {
    /// All entries in the order of the directory.
    public let entries: [ZipEntry]
    /// The uncompressed size of all files together, in bytes.
    public let totalUncompressedSize: UInt64

    let file: FileDescriptor
    let paths: [EntryPath]

    /// Opens and validates an archive.
    ///
    /// - Throws: ``ZipError``, with ``ZipError/Code/system`` if the file cannot be read, otherwise with the violated rule.
    public init(path: String, limits: ZipLimits = .none) throws(ZipError) {
        let file = try FileDescriptor(file: path)
        self.file = file
        do {
            (entries, paths, totalUncompressedSize) = try ArchiveValidator(file: file, limits: limits).validate()
        } catch {
            throw error.inArchive(file)
        }
    }

    /// Returns the entry with a name, compared by bytes. The name of a folder ends with a slash.
    public func entry(named name: String) -> ZipEntry? {
        entries.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// Reads a complete file of the archive into memory.
    ///
    /// - Parameters:
    ///   - name: The name of the entry.
    ///   - limit: The maximum uncompressed size in bytes.
    /// - Throws: ``ZipError``, with ``ZipError/Code/noSuchEntry`` (also for a folder), ``ZipError/Code/limitExceeded``, or an error of the
    ///   content.
    public func contents(of name: String, limit: Int) throws(ZipError) -> [UInt8] {
        guard let entry = entry(named: name), !entry.isDirectory else {
            throw ZipError(.noSuchEntry, entry: name, path: file.pathText)
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

    /// Reads and checks all contents in the order of the directory. Afterward, extraction cannot fail because of the archive.
    ///
    /// - Throws: ``ZipError`` for the first invalid content, with ``ZipError/Code/canceled``, or an error of the observer.
    public func verifyContents(observer: (any ExtractionObserver)? = nil) throws(ZipError) {
        var decoder = EntryDecoder(file)
        for entry in entries {
            if !entry.isDirectory { try observer?.begin(entry) }
            try decoder.decode(entry) { (piece) throws(ZipError) in
                try Self.checkCancellation()
                try observer?.take(piece)
            }
            if !entry.isDirectory { try observer?.end(entry) }
        }
    }

    static func checkCancellation() throws(ZipError) {
        if Task.isCancelled { throw ZipError(.canceled) }
    }
}

/// A validated file or folder of an archive, as its central directory describes it.
public struct ZipEntry: Hashable, Sendable {
    /// The relative path with slashes between components. The name of a folder ends with a slash.
    public let name: String
    /// The compression method.
    public let method: ZipMethod
    /// The CRC-32 of the content, by ISO 3309.
    public let crc32: UInt32
    /// The compressed size in bytes.
    public let compressedSize: UInt64
    /// The uncompressed size in bytes.
    public let uncompressedSize: UInt64
    /// The offset of the local header in the file, in bytes.
    public let offset: UInt64
    /// The permission bits in the archive, or default values if it contains none.
    ///
    /// The defaults are 0o644 and 0o755; no other bits than `0o7777` are set.
    public let mode: UInt16

    /// The offset of the data in the file, in bytes.
    package let dataOffset: UInt64

    /// A Boolean value that indicates whether the entry is a folder, which has no content.
    public var isDirectory: Bool { name.utf8.last == UInt8(ascii: "/") }

    /// A Boolean value that indicates whether the owner may execute the file.
    public var isExecutable: Bool { !isDirectory && mode & 0o100 != 0 }
}

/// The Unix mode that tools store in the upper half of the external attributes.
///
/// It is checked regardless of the system that the entry claims to come from, because extractors differ in this.
package struct UnixMode {
    enum Kind {
        case file, folder, special
    }

    package static let regular: UInt16 = 0o100000
    package static let folder: UInt16 = 0o040000
    /// The MS-DOS attribute for folders, in the lower half.
    package static let dosFolder: UInt32 = 0x10
    static let dosLabel: UInt32 = 0x08
    static let dosDevice: UInt32 = 0x40

    private let bits: UInt16

    init(_ header: CentralHeader) {
        bits = UInt16(truncatingIfNeeded: header.externalAttributes >> 16)
    }

    /// The kind, or nil if the archive contains none.
    var kind: Kind? {
        switch bits & 0o170000 {
        case 0: nil
        case Self.regular: .file
        case Self.folder: .folder
        default: .special
        }
    }

    /// The permissions, or nil if the archive contains no Unix mode.
    var permissions: UInt16? {
        bits == 0 ? nil : bits & 0o7777
    }
}
