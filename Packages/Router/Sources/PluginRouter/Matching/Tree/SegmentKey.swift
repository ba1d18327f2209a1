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
    let start: Int
    let length: Int
    /// A Boolean value that indicates whether ASCII letters are taken in lower case.
    let folds: Bool

    @inline(__always)
    init(_ bytes: PaddedBytes, _ start: Int, _ end: Int, folds: Bool) {
        self.start = start
        self.folds = folds
        length = end &- start
        var first = bytes.word(at: start)
        var last: UInt64 = 0
        if length < 8 {
            first &= (1 &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1
        } else if length > 8 {
            last = bytes.word(at: end &- 8)
        }
        self.first = folds ? ByteWord.lowercased(first) : first
        self.last = folds ? ByteWord.lowercased(last) : last
    }

    /// - Parameter bytes: those that the key was made of.
    @inline(__always)
    func hash(_ secret: Secret, _ bytes: PaddedBytes) -> UInt64 {
        let hash = Self.mix(first ^ secret.one, last ^ secret.other ^ UInt64(truncatingIfNeeded: length))
        if length <= 16 { return hash }
        return Self.mixing(bytes, from: start &+ 8, to: start &+ length &- 8, into: hash, secret.other, folds: folds)
    }

    /// By single values, so that a caller need not have its own in memory.
    @inline(never)
    private static func mixing(
        _ bytes: PaddedBytes, from start: Int, to end: Int, into hash: UInt64, _ secret: UInt64, folds: Bool
    ) -> UInt64 {
        var hash = hash
        for index in stride(from: start, to: end, by: 8) {
            let word = bytes.word(at: index)
            hash = mix(hash ^ (folds ? ByteWord.lowercased(word) : word), secret)
        }
        return hash
    }

    /// Both halves of the product, so that each bit of the result depends on all of both.
    @inline(__always)
    private static func mix(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low
    }
}
