/// A hash function for the segments below a node.
///
/// It is keyed with random numbers, so no manifest can choose segments that collide. It is not `Hasher`, because hashing
/// the three or four short segments of an address would then cost more than the rest of a match.
struct SegmentHash: Sendable {
    private let seed = UInt64.random(in: 0...UInt64.max)
    private let secret = UInt64.random(in: 0...UInt64.max) | 1

    /// The hash of a segment below a node.
    func callAsFunction(_ segment: Span<UInt8>, below parent: Int32) -> UInt64 {
        let bytes = segment.bytes
        var hash = seed ^ UInt64(truncatingIfNeeded: parent) &* 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index + 8 <= segment.count {
            hash = mix(hash ^ bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        // At most seven bytes are left, so the highest one has room for the length.
        var last = UInt64(truncatingIfNeeded: segment.count) &<< 56
        var shift: UInt64 = 0
        while index < segment.count {
            last |= UInt64(segment[index]) &<< shift
            shift += 8
            index += 1
        }
        return mix(hash ^ last)
    }

    /// Both halves of the product, so that each bit of the result depends on all bits of the value.
    private func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: secret)
        return product.high ^ product.low
    }
}
