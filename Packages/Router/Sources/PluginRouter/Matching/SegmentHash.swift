/// A hash function for the segments below a node.
///
/// It is keyed with random numbers, so no manifest can choose segments that collide. It is not `Hasher`, because hashing the three or four
/// short segments of an address would then cost more than the rest of a match.
struct SegmentHash: Sendable {
    private let seed = UInt64.random(in: 0...UInt64.max)
    private let secret = UInt64.random(in: 0...UInt64.max) | 1

    /// Returns the hash of a segment below a node.
    ///
    /// - Parameters:
    ///   - text: The text that contains the segment. It has no NUL, so a word that is not full needs no length.
    ///   - range: The place of the segment.
    ///   - first: The first word of the segment.
    @inline(__always)
    func callAsFunction(_ text: Span<UInt8>, _ range: Range<Int>, _ first: UInt64, below parent: Int32) -> UInt32 {
        let hash = mix(seed ^ UInt64(truncatingIfNeeded: parent) &* 0x9E37_79B9_7F4A_7C15 ^ first)
        return UInt32(truncatingIfNeeded: range.count <= 8 ? hash : mix(hash, text, range.dropFirst(8)))
    }

    /// Returns a hash with the other words of a segment.
    private func mix(_ hash: UInt64, _ text: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash = hash
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            hash = mix(hash ^ text.word(at: start, before: range.upperBound))
        }
        return hash
    }

    /// Returns both halves of the product, so that each bit of the result depends on all bits of the value.
    private func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: secret)
        return product.high ^ product.low
    }
}

extension Span<UInt8> {
    /// Returns up to eight bytes as one number, the first of them in the lowest bits, and zeros for those that are missing.
    @inline(__always)
    func word(at start: Int, before end: Int) -> UInt64 {
        // The loads check their bounds, so the arithmetic need not.
        if end &- start >= 8 { return load(at: start) }
        if end <= start { return 0 }
        // The bytes before and after the range are shifted out.
        let unused = UInt64(truncatingIfNeeded: 64 &- (end &- start) &* 8)
        if end >= 8 { return load(at: end &- 8) &>> unused }
        if count >= 8 { return (load(at: 0) &<< UInt64(truncatingIfNeeded: 64 &- end &* 8)) &>> unused }
        return shortWord(start..<end)
    }

    private func shortWord(_ range: Range<Int>) -> UInt64 {
        range.reversed().reduce(0) { $0 &<< 8 | UInt64(self[$1]) }
    }

    @inline(__always)
    private func load(at offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
