extension AddressLayout {
    /// The bytes of an address that are rare and have a meaning.
    struct Marks {
        private(set) var question = -1
        private(set) var hash = -1
        private(set) var fragmentQuestion = -1
        private(set) var isPlain = true

        /// With the bytes of a word that may be such; those before `first` have been looked at.
        ///
        /// By value, so that a caller keeps its own in registers.
        @inline(never)
        func noting(_ rare: UInt64, _ bytes: PaddedBytes, _ start: Int, from first: Int) -> Marks {
            var marks = self
            var rare = rare
            while rare != 0 {
                let index = start + rare.trailingZeroBitCount / 8
                rare &= rare - 1
                guard index >= first, index < bytes.count else { continue }
                switch bytes[index] {
                case UInt8(ascii: "%"), 0: marks.isPlain = false
                case UInt8(ascii: "#"): if marks.hash < 0 { marks.hash = index }
                case UInt8(ascii: "?"):
                    if marks.hash >= 0 {
                        if marks.fragmentQuestion < 0 { marks.fragmentQuestion = index }
                    } else if marks.question < 0 {
                        marks.question = index
                    }
                default: continue
                }
            }
            return marks
        }
    }

    /// How long the scheme is when the text starts with one of RFC 3986 and `://`, else zero.
    @inline(__always)
    static func schemeLength(_ bytes: PaddedBytes, _ slashes: UInt64, _ end: Int) -> Int {
        let slash = slashes.trailingZeroBitCount
        // Behind a scheme's colon is the first slash.
        if slash < 2 { return 0 }
        if slash < 64, slash >= end || bytes[slash &- 1] != .colon { return 0 }
        if slash == 64, end <= 64 { return 0 }
        return spelledSchemeLength(bytes, end)
    }

    @inline(never)
    private static func spelledSchemeLength(_ bytes: PaddedBytes, _ end: Int) -> Int {
        var index = 0
        while index < end, bytes[index].isSchemeByte { index += 1 }
        guard index > 0, bytes[0].isASCIILetter, index + 2 < end, bytes[index] == .colon,
            bytes[index + 1] == .slash, bytes[index + 2] == .slash
        else { return 0 }
        return index
    }

    /// A part without one leading and one trailing slash, and whether there was the leading one.
    @inline(__always)
    static func trimmed(
        _ bytes: PaddedBytes, _ start: Int, _ end: Int
    ) -> (path: AddressPart, hasLeadingSlash: Bool) {
        let hasLeadingSlash = start < end && bytes[start] == .slash
        let lower = hasLeadingSlash ? start &+ 1 : start
        let hasTrailingSlash = lower < end && bytes[end &- 1] == .slash
        return (AddressPart(lower: lower, upper: hasTrailingSlash ? end &- 1 : end), hasLeadingSlash)
    }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    fileprivate var isSchemeByte: Bool {
        isASCIILetter || isDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}
