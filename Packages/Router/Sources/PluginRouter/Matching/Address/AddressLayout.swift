/// Where the parts of an address are: the same cut as `URILayout` of PluginCore makes, kept in a form to match with.
///
/// The ends of segments in the first 64 bytes are one word, so that of an address whose parts end within them (most do) each
/// segment is found by counting zeros.
struct AddressLayout: Sendable {
    /// A bit for each byte that ends a segment.
    private(set) var segmentEnds: UInt64
    /// Authority and path, without the ignored slashes.
    let path: AddressPart
    private let fragmentPath: AddressPart
    /// How long the scheme is; zero without one.
    private let schemeCount: Int32
    private let hasFragment: Bool
    /// A Boolean value that indicates whether the first segment is an authority.
    let hasAuthority: Bool
    /// A Boolean value that indicates whether there is no escape and no NUL, so that every part is its own decoded text.
    let isPlain: Bool
    /// A Boolean value that indicates whether all segments are told by `segmentEnds`.
    let isShort: Bool

    /// The fragment's own path; `nil` without a fragment.
    @inline(__always)
    var fragment: AddressPart? { hasFragment ? fragmentPath : nil }

    @inline(__always)
    var schemeLength: Int { Int(schemeCount) }

    /// Where the segment that starts at `start` ends, when the layout is short.
    @inline(__always)
    func shortEnd(of start: Int) -> Int {
        start &+ (segmentEnds &>> UInt64(truncatingIfNeeded: start)).trailingZeroBitCount
    }

    /// Where the segment that ends at `end` starts, in a part that starts at `limit`, when the layout is short.
    @inline(__always)
    func shortStart(endingAt end: Int, limit: Int) -> Int {
        let before = segmentEnds & ((1 &<< UInt64(truncatingIfNeeded: end)) &- 1)
        return max(limit, 64 &- before.leadingZeroBitCount)
    }
}

/// A part of an address that consists of segments: one more than separators, or none when it is empty.
struct AddressPart: Sendable {
    private let low: Int32
    private let high: Int32

    @inline(__always)
    init(lower: Int, upper: Int) {
        low = Int32(truncatingIfNeeded: lower)
        high = Int32(truncatingIfNeeded: upper)
    }

    @inline(__always)
    var lower: Int { Int(low) }
    @inline(__always)
    var upper: Int { Int(high) }
    @inline(__always)
    var isEmpty: Bool { low == high }

    /// Where its first segment starts: past its end when it has none.
    @inline(__always)
    var start: Int { isEmpty ? upper &+ 1 : lower }
}

extension AddressLayout {
    /// The longest address that can be told about, in bytes.
    static let longest = Int(Int32.max) - 1

    /// The layout of an address without segments.
    init() {
        segmentEnds = 1
        path = AddressPart(lower: 0, upper: 0)
        fragmentPath = path
        schemeCount = 0
        (hasFragment, hasAuthority, isPlain, isShort) = (false, false, true, true)
    }

    /// Cuts an address of at most ``longest`` bytes.
    @inline(__always)
    init(_ bytes: PaddedBytes) {
        let count = bytes.count
        var slashes: UInt64 = 0
        var marks = Marks()
        var index = 0
        // The last word overlaps the one before: finding a slash twice does no harm.
        repeat {
            let start = min(index, bytes.lastWord)
            let word = bytes.word(unshifted: start)
            let low = word & ByteWord.lows
            // `/` is 0x2F and `?` 0x3F: with the bit that tells them apart set, both are 0x3F.
            let both = ~((((low | 0x10 &* ByteWord.ones) ^ (0x3F &* ByteWord.ones)) &+ ByteWord.lows) | word)
            let isQuestion = word &<< 3
            if start < 64 {
                slashes |= ByteWord.packed(both & ~isQuestion & ByteWord.highs) &<< UInt64(truncatingIfNeeded: start)
            }
            // Below 0x2D, with few others that are rare in addresses, are `#`, `%` and NUL.
            let below = ~((low &+ (0x53 &* ByteWord.ones)) | word)
            let rare = ((both & isQuestion) | below) & ByteWord.highs
            if rare != 0 { marks = marks.noting(rare, bytes, start, from: index) }
            index = start &+ 8
        } while index < count
        self.init(bytes, slashes, marks)
    }

    @inline(__always)
    private init(_ bytes: PaddedBytes, _ slashes: UInt64, _ marks: Marks) {
        let end = marks.hash < 0 ? bytes.count : marks.hash
        let pathEnd = marks.question < 0 ? end : marks.question
        let scheme = Self.schemeLength(bytes, slashes, pathEnd)
        let (path, hasLeadingSlash) = Self.trimmed(bytes, scheme == 0 ? 0 : scheme &+ 3, pathEnd)
        self.path = path
        schemeCount = Int32(truncatingIfNeeded: scheme)
        hasAuthority = scheme > 0 && !hasLeadingSlash && !path.isEmpty
        isPlain = marks.isPlain
        hasFragment = marks.hash >= 0
        segmentEnds = slashes
        if marks.hash < 0 {
            fragmentPath = AddressPart(lower: 0, upper: 0)
            isShort = path.upper < 64
        } else {
            let fragmentEnd = marks.fragmentQuestion < 0 ? bytes.count : marks.fragmentQuestion
            fragmentPath = Self.trimmed(bytes, marks.hash &+ 1, fragmentEnd).path
            isShort = fragmentPath.upper < 64
        }
        endParts()
    }

    /// The layout of decoded segments that lie side by side with a NUL between.
    init(decoded bytes: PaddedBytes, path: AddressPart, fragment: AddressPart?, of raw: AddressLayout) {
        self.path = path
        fragmentPath = fragment ?? AddressPart(lower: 0, upper: 0)
        schemeCount = raw.schemeCount
        hasFragment = fragment != nil
        hasAuthority = raw.hasAuthority
        isPlain = true
        isShort = bytes.count < 64
        segmentEnds = 0
        guard isShort else { return }
        for index in 0..<bytes.count where bytes[index] == 0 { segmentEnds |= 1 &<< UInt64(index) }
        endParts()
    }

    /// Where a part ends, its last segment does.
    @inline(__always)
    private mutating func endParts() {
        guard isShort else { return }
        segmentEnds |= 1 &<< UInt64(truncatingIfNeeded: path.upper)
        if hasFragment { segmentEnds |= 1 &<< UInt64(truncatingIfNeeded: fragmentPath.upper) }
    }
}
