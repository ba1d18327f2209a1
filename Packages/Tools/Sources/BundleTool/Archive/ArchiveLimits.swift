internal import Zip

/// Limits on the contents of an archive; a limit that is `nil` is that of the format.
public struct ArchiveLimits: Sendable {
    /// The maximum number of files and folders.
    public var entries: Int?
    /// The maximum total size of the extracted files in bytes.
    public var size: Int?
    /// The maximum compression ratio of an entry.
    public var ratio: Int?

    /// Creates limits.
    public init(entries: Int? = nil, size: Int? = nil, ratio: Int? = nil) {
        self.entries = entries
        self.size = size
        self.ratio = ratio
    }

    var zip: ZipLimits {
        ZipLimits(
            entryCount: entries ?? .max, totalUncompressedSize: size.map { UInt64(clamping: $0) } ?? .max,
            compressionRatio: ratio.map { UInt64(clamping: $0) } ?? .max)
    }
}
