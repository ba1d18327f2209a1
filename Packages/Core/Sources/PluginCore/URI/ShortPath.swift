/// The places of the segments of an ordinary path: without escapes, of at most seven segments, and within the first 254 bytes.
///
/// One number holds them, because it stays in a register, unlike an array.
@frozen
@usableFromInline
struct ShortPath: Sendable {
    /// The position before the path, modulo 256, and the ends of its segments: a byte for each, the first in the lowest bits.
    @usableFromInline private(set) var bounds: UInt64
    /// The number of segments.
    @usableFromInline private(set) var count: UInt8

    /// A path without segments.
    init() {
        (bounds, count) = (0, 0)
    }

    /// Finds the segments of the path at the end of a text, or fails if the path is not ordinary.
    ///
    /// - Parameters:
    ///   - text: The text up to the end of the path.
    ///   - pathStart: The start of the path. It has no outer slashes.
    @inline(__always)
    init?(in text: Span<UInt8>, from pathStart: Int) {
        self.init()
        if pathStart == text.count { return }
        guard text.count < UInt8.max else { return nil }
        var bounds = UInt64(UInt8(truncatingIfNeeded: pathStart &- 1))
        var shift = 8 as UInt64
        var start = pathStart
        while start < text.count {
            let word = text.pathWord(at: start)
            guard word.isOrdinaryPath else { return nil }
            var slashes = word.slashes
            while slashes != 0 {
                bounds |= UInt64(truncatingIfNeeded: start &+ slashes.trailingZeroBitCount / 8) &<< shift
                shift &+= 8
                slashes &= slashes &- 1
            }
            start &+= 8
        }
        bounds |= UInt64(truncatingIfNeeded: text.count) &<< shift
        guard shift < UInt64.bitWidth else { return nil }
        self.bounds = bounds
        count = UInt8(truncatingIfNeeded: shift / 8)
    }

    /// Returns the place of a segment in the text.
    @inlinable
    func range(_ index: Int) -> Range<Int> {
        let ends = bounds &>> UInt64(truncatingIfNeeded: index &* 8)
        return Int(UInt8(truncatingIfNeeded: ends) &+ 1)..<Int(UInt8(truncatingIfNeeded: ends &>> 8))
    }
}

extension Span<UInt8> {
    /// Returns the eight bytes from an index on as a number, the first of them in the lowest bits. Missing bytes are those of no delimiter.
    @inline(__always)
    fileprivate func pathWord(at start: Int) -> UInt64 {
        if start <= count &- 8 { return load(at: start) }
        if count < 8 { return shortWord(start..<count) | UInt64.max << UInt64((count &- start) &* 8) }
        return ~(~load(at: count &- 8) &>> UInt64(truncatingIfNeeded: (start &+ 8 &- count) &* 8))
    }
}

/// Tests of the eight bytes of a number at once.
extension UInt64 {
    private static let lowest: UInt64 = 0x0101_0101_0101_0101
    private static let highest = lowest << 7

    /// A Boolean value that indicates whether no byte is a question mark or less than `&`, as a hash sign, a percent sign and a NUL are.
    ///
    /// The first byte that is less than what is subtracted borrows, which sets its highest bit.
    fileprivate var isOrdinaryPath: Bool {
        let questions = self ^ UInt64(UInt8.question) &* Self.lowest
        let delimiters =
            (self &- UInt64(UInt8(ascii: "&")) &* Self.lowest) & ~self | (questions &- Self.lowest) & ~questions
        return delimiters & Self.highest == 0
    }

    /// A number in which the highest bit of a byte is set if the byte is a slash, and no other bit.
    fileprivate var slashes: UInt64 {
        let difference = self ^ UInt64(UInt8.slash) &* Self.lowest
        return ~((difference & ~Self.highest) &+ ~Self.highest | difference) & Self.highest
    }
}
