/// What a literal is looked up by: the segment's bytes as words.
///
/// Up to sixteen bytes, the two words and the length are the whole text.
struct SegmentKey {
    /// Two numbers that nobody outside can know, so that nobody can choose literals that collide.
    struct Secret: Sendable {
        let one: UInt64
        let other: UInt64

        static func random() -> Secret {
            Secret(one: .random(in: 0...UInt64.max), other: .random(in: 0...UInt64.max))
        }
    }

    let first: UInt64
    let last: UInt64
    let length: Int
    private let folds: Bool

    /// - Parameter folds: whether ASCII letters are taken in lower case.
    @inline(__always)
    init(_ bytes: PaddedBytes, _ segment: Range<Int>, folds: Bool) {
        length = segment.count
        self.folds = folds
        var first = bytes.word(at: segment.lowerBound)
        var last: UInt64 = 0
        if length < 8 {
            first &= (1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1
        } else if length > 8 {
            last = bytes.word(at: segment.upperBound &- 8)
        }
        if folds {
            first = ByteWord.lowercased(first)
            last = ByteWord.lowercased(last)
        }
        self.first = first
        self.last = last
    }

    /// The key of all of the bytes, and its hash.
    static func whole(_ bytes: PaddedBytes, _ secret: Secret) -> (key: SegmentKey, hash: UInt64) {
        let key = SegmentKey(bytes, 0..<bytes.count, folds: false)
        return (key, key.hash(secret, bytes, 0..<bytes.count))
    }

    @inline(__always)
    func byte(_ byte: UInt8) -> UInt8 { folds ? byte.lowercased : byte }

    @inline(__always)
    func hash(_ secret: Secret, _ bytes: PaddedBytes, _ segment: Range<Int>) -> UInt64 {
        var hash = Self.mix(first ^ secret.one, last ^ secret.other ^ UInt64(truncatingIfNeeded: length))
        if length > 16 { mixMiddle(into: &hash, secret, bytes, segment) }
        return hash
    }

    private func mixMiddle(
        into hash: inout UInt64, _ secret: Secret, _ bytes: PaddedBytes, _ segment: Range<Int>
    ) {
        var index = segment.lowerBound + 8
        while index < segment.upperBound - 8 {
            let word = bytes.word(at: index)
            hash = Self.mix(hash ^ (folds ? ByteWord.lowercased(word) : word), secret.other)
            index += 8
        }
    }

    /// Both halves of the product, so that each bit of the result depends on all of both.
    @inline(__always)
    private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low
    }
}
