/// The positions of the parts of an address in its bytes, found in one pass without decoding and copying.
///
/// ``ResourceURI`` is this plus decoding.
///
/// ```swift
/// let layout = URILayout(of: "app://shop/item?x=1".utf8.span)
/// layout.scheme    // 0..<3
/// layout.path      // 6..<15
/// ```
public struct URILayout: Sendable {
    /// The scheme as written, or nil if there is none.
    public let scheme: Range<Int>?
    /// The authority and path without the ignored slashes.
    ///
    /// An empty range means no segments. Otherwise there is one more segment than slashes.
    public let path: Range<Int>
    /// A Boolean value that indicates whether the first segment is an authority.
    public let hasAuthority: Bool
    /// The query between question mark and hash sign. Empty if there is none.
    public let query: Range<Int>
    /// The text after the first hash sign, or nil if there is none.
    public let fragment: Range<Int>?
    /// A Boolean value that indicates whether no part needs decoding: there is no escape and no NUL, so nothing can be malformed.
    public let isPlain: Bool
    /// The number of segments.
    let segmentCount: Int
    /// The ends of the first segments, if the address is short enough for their type.
    let segmentEnds: SegmentEnds

    /// The ends of the segments of an ordinary address, which need no memory of their own.
    typealias SegmentEnds = SIMD8<UInt16>

    /// Finds the parts of an address.
    ///
    /// - Parameter bytes: The address in UTF-8.
    public init(of bytes: Span<UInt8>) {
        self.init(of: bytes, isFragment: false)
    }

    /// Finds the parts of a fragment that is interpreted as a path and a query. It has no scheme and no fragment of its own.
    ///
    /// - Parameter bytes: The text after the hash sign in UTF-8.
    public init(ofFragment bytes: Span<UInt8>) {
        self.init(of: bytes, isFragment: true)
    }

    private init(of bytes: Span<UInt8>, isFragment: Bool) {
        let schemeEnd = isFragment ? nil : Self.schemeEnd(in: bytes)
        var start = schemeEnd.map { $0 + 3 } ?? 0
        let hasLeadingSlash = start < bytes.count && bytes[start] == .slash
        if hasLeadingSlash { start += 1 }
        var isPlain = true
        var slashes = 0
        var ends = SegmentEnds()
        var end = start
        path: while end < bytes.count {
            let byte = bytes[end]
            if byte.isPathDelimiter {
                switch byte {
                case .slash:
                    if slashes < ends.scalarCount { ends[slashes] = UInt16(truncatingIfNeeded: end) }
                    slashes += 1
                case .hash where isFragment: break
                case .question, .hash: break path
                default: isPlain = false
                }
            }
            end += 1
        }
        // The trailing slash has already ended the last segment.
        let hasTrailingSlash = end > start && bytes[end - 1] == .slash
        let pathEnd = hasTrailingSlash ? end - 1 : end
        if !hasTrailingSlash, slashes < ends.scalarCount { ends[slashes] = UInt16(truncatingIfNeeded: end) }
        self.scheme = schemeEnd.map { 0..<$0 }
        self.path = start..<pathEnd
        // In `scheme:///p`, the third slash is the ignored leading slash, so the authority is empty.
        self.hasAuthority = schemeEnd != nil && !hasLeadingSlash && start < pathEnd
        self.segmentCount = start < pathEnd ? slashes + (hasTrailingSlash ? 0 : 1) : 0
        self.segmentEnds = ends

        var hash = end
        while hash < bytes.count, isFragment || bytes[hash] != .hash {
            if bytes[hash] == .percent || bytes[hash] == 0 { isPlain = false }
            hash += 1
        }
        self.query = min(end + 1, hash)..<hash
        self.fragment = hash < bytes.count ? (hash + 1)..<bytes.count : nil
        while hash < bytes.count {
            if bytes[hash] == .percent || bytes[hash] == 0 { isPlain = false }
            hash += 1
        }
        self.isPlain = isPlain
    }

    /// Returns the index of the colon if the text starts with a scheme followed by a colon and two slashes.
    private static func schemeEnd(in bytes: Span<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes[0].isASCIILetter else { return nil }
        var index = 1
        while index < bytes.count, bytes[index].isSchemeByte { index += 1 }
        guard index + 2 < bytes.count, bytes[index] == .colon, bytes[index + 1] == .slash, bytes[index + 2] == .slash
        else { return nil }
        return index
    }

    /// A Boolean value that indicates whether ``segmentEnds`` describes the path, so that nothing needs to be decoded or copied.
    var isShortPlainPath: Bool { isPlain && segmentCount <= segmentEnds.scalarCount && path.upperBound <= UInt16.max }
}
