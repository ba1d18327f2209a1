internal import PluginCore

/// A segment below a node, as numbers that are compared and hashed without the text.
struct SegmentKey: Equatable, Sendable {
    /// The first eight bytes.
    fileprivate let head: UInt64
    /// The last eight bytes of a segment that is longer, or the hash of one that is longer than 16 bytes.
    fileprivate let tail: UInt64
    /// The node above in the lower half, and the length of the segment in the upper half.
    fileprivate let parentAndLength: UInt64

    /// The key of no segment.
    init() {
        (head, tail, parentAndLength) = (0, 0, 0)
    }

    /// The key of a segment.
    ///
    /// - Parameters:
    ///   - text: The text that contains the segment.
    ///   - range: The place of the segment.
    ///   - parent: The node above.
    @inline(__always)
    init(_ text: Span<UInt8>, _ range: Range<Int>, below parent: Int32, _ hash: SegmentHash) {
        head = text.word(at: range.lowerBound, before: range.upperBound)
        let length = range.upperBound &- range.lowerBound
        tail =
            switch length {
            case ...8: 0
            case ...16: text.word(at: range.upperBound &- 8, before: range.upperBound)
            default: hash(text, range)
            }
        parentAndLength = UInt64(truncatingIfNeeded: length) &<< 32 | UInt64(UInt32(bitPattern: parent))
    }

    /// A Boolean value that indicates whether an equal key means an equal segment.
    var isExact: Bool { parentAndLength < 17 << 32 }
}

/// A hash function for the segments below a node.
///
/// It is keyed with random numbers, so no manifest can choose segments that collide. It is not `Hasher`, because hashing the three or four
/// short segments of an address would then cost more than the rest of a match.
struct SegmentHash: Sendable {
    private let headSecret = UInt64.random(in: 0...UInt64.max)
    private let tailSecret = UInt64.random(in: 0...UInt64.max)

    /// Returns the hash of a key.
    ///
    /// The parent is added last, because a search knows it last.
    @inline(__always)
    func callAsFunction(_ key: SegmentKey) -> UInt32 {
        let parent = UInt32(truncatingIfNeeded: key.parentAndLength)
        return UInt32(truncatingIfNeeded: mix(key.head, key.tail)) &+ parent &* 0x9E37_79B9
    }

    /// Returns the hash of a segment of any length.
    @inline(never)
    func callAsFunction(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: range.count)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            hash = mix(hash, text.word(at: start, before: range.upperBound))
        }
        return hash
    }

    /// Returns both halves of a product of the numbers, so that each bit of the result depends on all bits of both.
    @inline(__always)
    private func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = (one ^ headSecret).multipliedFullWidth(by: other ^ tailSecret)
        return product.high ^ product.low
    }
}
