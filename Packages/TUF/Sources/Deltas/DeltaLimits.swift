/// The limits that protect a client from a delta under an attacker's control.
public struct DeltaLimits: Hashable, Sendable {
    /// The length of the base in bytes.
    public var baseLength = 1 << 29
    /// The length of the inflated package in bytes.
    public var contentLength = 1 << 29
    /// The number of segments of a package: members, and the bytes between them.
    public var segments = 200_000

    /// Creates limits for packages of at most 512 MiB.
    public init() {}

    /// The logarithm of the window of Zstandard: 64 MiB.
    static let windowLog: Int32 = 26
    /// The length of a base or of contents that the format can describe.
    static let largest = Int(UInt32.max)
}
