/// How much an archive may ask for. What it declares is judged before anything is written, and
/// no entry ever yields more than it declared.
public struct ZipLimits: Hashable, Sendable {
    /// The most entries, folders included.
    public var entryCount: Int
    /// The most bytes of all files together, uncompressed.
    public var totalUncompressedSize: UInt64

    /// Limits on what is named; the rest is bounded only by the format (65,534 entries, 4 GiB each).
    public init(entryCount: Int = .max, totalUncompressedSize: UInt64 = .max) {
        self.entryCount = entryCount
        self.totalUncompressedSize = totalUncompressedSize
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
}
