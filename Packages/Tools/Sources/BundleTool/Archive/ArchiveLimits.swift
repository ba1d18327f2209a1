internal import Zip

/// How much an archive may ask for; what is `nil` has no limit but the format's.
public struct ArchiveLimits: Sendable {
    /// The most files and folders.
    public var entries: Int?
    /// The most bytes of all files together, unpacked.
    public var size: Int?
    /// The most bytes, unpacked, for each byte of an entry in the archive.
    public var ratio: Int?

    /// Limits on what is named.
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
