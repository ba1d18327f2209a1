/// The bytes of an address and where its segments are: what matching works on.
struct AddressBytes {
    /// Where the parts are in the bytes.
    let layout: AddressLayout
    let bytes: PaddedBytes
    /// What stands between segments: a slash, or in decoded text, where a slash may be text, a NUL.
    let separator: UInt8

    /// - Parameters:
    ///   - bytes: what an address is spelt with.
    ///   - layout: as cut out of these very bytes, so that each place in it is inside.
    @inline(__always)
    init(_ bytes: PaddedBytes, separator: UInt8 = .slash, layout: AddressLayout) {
        self.bytes = bytes
        self.separator = separator
        self.layout = layout
    }

    /// An address that has not been cut yet.
    @inline(__always)
    init(_ bytes: PaddedBytes) {
        self.init(bytes, layout: AddressLayout(bytes))
    }

    /// Where the segment that starts at `start` ends, in a part of the address that ends at `limit`.
    @inline(__always)
    func end(of start: Int, limit: Int) -> Int {
        if layout.isShort { return layout.shortEnd(of: start) }
        return scanForward(from: start, limit: limit)
    }

    /// Where the segment that ends at `end` starts, in a part of the address that starts at `limit`.
    @inline(__always)
    func start(endingAt end: Int, limit: Int) -> Int {
        if layout.isShort { return layout.shortStart(endingAt: end, limit: limit) }
        return scanBack(from: end, limit: limit)
    }

    @inline(never)
    private func scanForward(from start: Int, limit: Int) -> Int {
        let pattern = UInt64(separator) &* ByteWord.ones
        var index = start
        while index + 8 <= limit {
            let zeros = ByteWord.zeros(bytes.word(at: index) ^ pattern)
            if zeros != 0 { return index + zeros.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < limit, bytes[index] != separator { index += 1 }
        return index
    }

    @inline(never)
    private func scanBack(from end: Int, limit: Int) -> Int {
        var index = end
        while index > limit, bytes[index - 1] != separator { index -= 1 }
        return index
    }
}
