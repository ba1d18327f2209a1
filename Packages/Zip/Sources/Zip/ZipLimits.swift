/// How much an archive may ask for. What it declares is judged before anything is written, and
/// no entry ever yields more than it declared.
public struct ZipLimits: Hashable, Sendable {
    /// The most entries, folders included.
    public var entryCount: Int
    /// The most bytes of all files together, uncompressed.
    public var totalUncompressedSize: UInt64
    /// The most bytes of content for each byte in the archive, for every entry by itself; deflate reaches 1,032.
    public var compressionRatio: UInt64

    /// The ratio up to which archives are nothing unusual, and that ``ZipWriter`` keeps: what deflate makes smaller than that it
    /// stores.
    public static let usualRatio: UInt64 = 1_000

    /// Limits on what is named; the rest is bounded only by the format and by a directory of at most 32 MiB.
    public init(entryCount: Int = .max, totalUncompressedSize: UInt64 = .max, compressionRatio: UInt64 = .max) {
        self.entryCount = entryCount
        self.totalUncompressedSize = totalUncompressedSize
        self.compressionRatio = compressionRatio
    }

    /// Nothing but the format's own limits.
    public static let none = ZipLimits()

    func check(entryCount count: Int) throws(ZipError) {
        guard count <= entryCount else {
            throw ZipError(.limitExceeded, detail: "\(count) entries, \(entryCount) allowed")
        }
    }

    func check(totalUncompressedSize size: UInt64) throws(ZipError) {
        guard size <= totalUncompressedSize else {
            throw ZipError(.limitExceeded, detail: "\(size) bytes uncompressed, \(totalUncompressedSize) allowed")
        }
    }

    func check(uncompressedSize size: UInt64, compressedSize: UInt64) throws(ZipError) {
        let (most, overflows) = compressedSize.multipliedReportingOverflow(by: compressionRatio)
        guard overflows || size <= most else {
            throw ZipError(
                .limitExceeded,
                detail: "\(size) bytes out of \(compressedSize), \(compressionRatio) times as many allowed")
        }
    }
}
