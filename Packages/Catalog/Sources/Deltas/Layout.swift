import Zip

/// The first bytes of a delta.
enum Header {
    static let length = 52
    /// The name of the format, and its version.
    static let format = Array("zipdelta".utf8) + UInt32(1).littleEndianBytes

    /// Returns the header of deltas to a base: the format, and the length and the SHA-256 digest of the base.
    static func bytes(base: [UInt8]) throws(DeltaError) -> [UInt8] {
        format + UInt64(base.count).littleEndianBytes + (try digest(of: base))
    }
}

/// A part of a package: bytes that are copied, or the content of a member that is deflated.
struct Segment {
    /// The level of deflate, or 0 for bytes that are copied.
    var level: UInt8 = 0
    var memoryLevel: UInt8 = 0
    /// The length of the content.
    var length: UInt64

    static let length = 10

    var bytes: [UInt8] { [level, memoryLevel] + length.littleEndianBytes }
}

extension Segment {
    /// Reads a segment, or returns nil if its settings are not those of deflate.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let level = bytes.first, let memoryLevel = bytes.dropFirst().first,
            level == 0 ? memoryLevel == 0 : (1...9).contains(level) && (1...9).contains(memoryLevel)
        else { return nil }
        self.init(level: level, memoryLevel: memoryLevel, length: bytes.dropFirst(2).number)
    }

    /// Returns the compressor of the content, or nil for bytes that are copied.
    func deflater() throws(DeltaError) -> Deflater? {
        if level == 0 { return nil }
        do {
            return try Deflater(level: Int32(level), memoryLevel: Int32(memoryLevel))
        } catch {
            throw DeltaError(.unavailable, detail: "no memory")
        }
    }
}

/// A step from the base to the contents: bytes that are similar to those of the base, and then other ones.
struct Step {
    /// The position of the similar bytes in the base.
    var base: Int
    /// The number of the similar bytes, whose differences follow.
    var similar: Int
    /// The number of the other bytes, which follow after these.
    var other: Int

    static let length = 12

    var bytes: [UInt8] {
        [base, similar, other].flatMap { UInt32(truncatingIfNeeded: $0).littleEndianBytes }
    }
}

extension Step {
    /// Reads a step, or returns nil if it is not within a base, or leads nowhere.
    init?(_ bytes: ArraySlice<UInt8>, baseLength: Int) {
        base = Int(bytes.prefix(4).number)
        similar = Int(bytes.dropFirst(4).prefix(4).number)
        other = Int(bytes.dropFirst(8).number)
        guard similar + other > 0, base <= baseLength, similar <= baseLength - base else { return nil }
    }
}

extension FixedWidthInteger {
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

extension ArraySlice<UInt8> {
    /// The number in at most eight bytes in little-endian order.
    var number: UInt64 { reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
