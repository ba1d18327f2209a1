/// Bytes that can be read as whole words.
///
/// A view: it owns nothing, and is good for as long as the memory it was made of.
struct PaddedBytes {
    let base: UnsafeRawPointer
    let count: Int
    /// The last place from which a whole word can be read.
    let lastWord: Int

    /// - Parameters:
    ///   - base: `count` readable bytes, and eight even when there are fewer.
    ///   - count: how many of them have a meaning.
    @inline(__always)
    init(_ base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
        lastWord = max(count, 8) &- 8
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 { base.load(fromByteOffset: index, as: UInt8.self) }

    /// Some of the bytes.
    @inline(__always)
    func buffer(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: (base + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
    }

    /// The bytes from `start` on as a word, the first in the lowest place. Those behind the end are of no meaning.
    @inline(__always)
    func word(at start: Int) -> UInt64 {
        let place = min(start, lastWord)
        return word(unshifted: place) &>> UInt64(truncatingIfNeeded: (start &- place) &* 8)
    }

    /// The bytes from `start` on, which is not behind the last word.
    @inline(__always)
    func word(unshifted start: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
}

/// Eight bytes looked at at once.
enum ByteWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The high bit of each byte that is zero.
    @inline(__always)
    static func zeros(_ word: UInt64) -> UInt64 { ~(((word & lows) &+ lows) | word | lows) }

    /// The high bits of the bytes moved together: bit `n` for byte `n`.
    @inline(__always)
    static func packed(_ highs: UInt64) -> UInt64 { ((highs &>> 7) &* 0x0102_0408_1020_4080) &>> 56 }

    /// ASCII letters in lower case, everything else as it is.
    @inline(__always)
    static func lowercased(_ word: UInt64) -> UInt64 {
        let low = word & lows
        // 0x3F carries into the high bit what is at least `A`, 0x25 what is above `Z`.
        let letters = ((low &+ (0x3F &* ones)) & ~(low &+ (0x25 &* ones))) & ~word & highs
        return word | letters &>> 2
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The bytes, or when there are fewer than eight a copy of them that is filled up with letters.
    @inline(__always)
    func withPadding<R>(_ body: (PaddedBytes) -> R) -> R {
        if let baseAddress, count >= 8 { return body(PaddedBytes(baseAddress, count: count)) }
        var word: UInt64 = 0x6161_6161_6161_6161
        withUnsafeMutableBytes(of: &word) { $0.copyBytes(from: self) }
        return withUnsafePointer(to: &word) { body(PaddedBytes($0, count: count)) }
    }
}
