/// Eight bytes of a text as one number, so that matching compares and tests them together.
extension Span where Element == UInt8 {
    /// Returns up to eight bytes as one number, the first of them in the lowest bits, and zeros for those that are missing.
    ///
    /// - Parameters:
    ///   - start: The index of the first byte.
    ///   - end: The end of the text to read, above `start`.
    @inlinable
    @inline(__always)
    public func word(at start: Int, before end: Int) -> UInt64 {
        guard count >= 8 else { return shortWord(start..<end) }
        // The loads check their bounds, so the arithmetic need not.
        let missing = UInt64(truncatingIfNeeded: start &+ 8 &- count) &* 8
        let word = start <= count &- 8 ? load(at: start) : load(at: count &- 8) &>> missing
        if end &- start >= 8 { return word }
        let unused = UInt64(truncatingIfNeeded: start &+ 8 &- end) &* 8
        return (word &<< unused) &>> unused
    }

    @inline(never)
    @usableFromInline
    func shortWord(_ range: Range<Int>) -> UInt64 {
        range.reversed().reduce(0) { $0 &<< 8 | UInt64(self[$1]) }
    }

    @inlinable
    @inline(__always)
    func load(at offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
