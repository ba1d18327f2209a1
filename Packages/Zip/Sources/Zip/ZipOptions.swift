/// The limits for an archive. Declared sizes are checked before anything is written, and are never exceeded.
public struct ZipLimits: Hashable, Sendable {
    /// The maximum number of entries, including folders.
    public var entryCount: Int
    /// The maximum uncompressed size of all files together, in bytes.
    public var totalUncompressedSize: UInt64
    /// The maximum compression ratio of each entry. Deflate can reach 1,032.
    public var compressionRatio: UInt64

    /// The maximum usual ratio. The writer stores contents that deflate would compress further.
    public static let usualRatio: UInt64 = 1_000

    /// Creates limits. What is not limited here is limited only by the format, and by the maximum directory size of 32 MiB.
    public init(entryCount: Int = .max, totalUncompressedSize: UInt64 = .max, compressionRatio: UInt64 = .max) {
        self.entryCount = entryCount
        self.totalUncompressedSize = totalUncompressedSize
        self.compressionRatio = compressionRatio
    }

    /// The limits of the format only.
    public static let none = Self()
}

/// The compression method of an entry. The raw value is that of APPNOTE 4.4.5.
public enum ZipMethod: UInt16, Hashable, Sendable {
    /// No compression.
    case stored = 0
    /// A raw deflate stream, by RFC 1951.
    case deflated = 8
}

/// The guarantee about the disk when a call returns.
public enum ZipDurability: Hashable, Sendable {
    /// The data is in the kernel's cache. A power cut may lose it.
    case buffered
    /// All written files and folders, and their parent folder, were synced.
    ///
    /// A subsequent rename never exposes an incomplete tree after a power cut.
    case synced
}
