internal import Zip

/// The first bytes of a delta.
struct Header: Equatable {
    var baseLength: UInt64
    /// The SHA-256 digest of the base.
    var baseDigest: [UInt8]

    static let length = 52
    private static let magic = Array("zipdelta".utf8)
    private static let version: UInt32 = 1

    init(baseLength: UInt64, baseDigest: [UInt8]) {
        self.baseLength = baseLength
        self.baseDigest = baseDigest
    }

    /// Reads the first bytes of a file, or returns nil if it is not a delta.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.length, bytes.prefix(8).elementsEqual(Self.magic),
            bytes.dropFirst(8).prefix(4).number == UInt64(Self.version)
        else { return nil }
        baseLength = bytes.dropFirst(12).prefix(8).number
        baseDigest = Array(bytes.suffix(32))
    }

    var bytes: [UInt8] {
        Self.magic + Self.version.littleEndianBytes + baseLength.littleEndianBytes + baseDigest
    }
}

/// A part of a package: bytes that are copied, or the content of a member that is deflated.
struct Segment: Equatable {
    /// The level of deflate, or 0 for bytes that are copied.
    var level: UInt8
    var memoryLevel: UInt8
    /// The length of the content.
    var length: UInt64

    static let length = 10

    init(level: UInt8 = 0, memoryLevel: UInt8 = 0, length: UInt64) {
        self.level = level
        self.memoryLevel = memoryLevel
        self.length = length
    }

    /// Reads a segment, or returns nil if its settings are not those of deflate.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.length, let level = bytes.first, let memoryLevel = bytes.dropFirst().first,
            level == 0 ? memoryLevel == 0 : (1...9).contains(level) && (1...9).contains(memoryLevel)
        else { return nil }
        self.init(level: level, memoryLevel: memoryLevel, length: bytes.dropFirst(2).number)
    }

    var bytes: [UInt8] { [level, memoryLevel] + length.littleEndianBytes }

    /// Returns the compressor of the content, or nil for bytes that are copied.
    ///
    /// - Parameter path: The path of the delta, for errors.
    func deflater(_ path: String) throws(DeltaError) -> Deflater? {
        if level == 0 { return nil }
        do throws(ZipError) {
            return try Deflater(level: Int32(level), memoryLevel: Int32(memoryLevel))
        } catch {
            throw DeltaError(.unavailable, path, detail: "no memory")
        }
    }
}

/// A step from the base to the contents: bytes that are similar to those of the base, and then other ones.
struct Step: Equatable {
    /// The position of the similar bytes in the base.
    var base: Int
    /// The number of the similar bytes, whose differences follow.
    var similar: Int
    /// The number of the other bytes, which follow after these.
    var other: Int

    static let length = 12

    init(base: Int, similar: Int, other: Int) {
        (self.base, self.similar, self.other) = (base, similar, other)
    }

    /// Reads a step, or returns nil if it is not within a base, or leads nowhere.
    init?(_ bytes: ArraySlice<UInt8>, baseLength: Int) {
        guard bytes.count == Self.length else { return nil }
        base = Int(bytes.prefix(4).number)
        similar = Int(bytes.dropFirst(4).prefix(4).number)
        other = Int(bytes.dropFirst(8).number)
        guard similar + other > 0, base <= baseLength, similar <= baseLength - base else { return nil }
    }

    var bytes: [UInt8] {
        [base, similar, other].flatMap { UInt32(truncatingIfNeeded: $0).littleEndianBytes }
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

extension ArraySlice<UInt8> {
    /// The number in at most eight bytes in little-endian order.
    var number: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
