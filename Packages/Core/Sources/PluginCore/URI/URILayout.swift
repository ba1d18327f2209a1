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
        let head = isFragment ? AddressHead(of: bytes, schemeLength: 0) : AddressHead(of: bytes)
        var isPlain = true
        var end = head.pathStart
        while end < bytes.count, bytes[end] != .question, isFragment || bytes[end] != .hash {
            if bytes[end] == .percent || bytes[end] == 0 { isPlain = false }
            end += 1
        }
        self.scheme = head.schemeLength == 0 ? nil : 0..<head.schemeLength
        self.path = head.path(in: bytes, endingAt: end)
        self.hasAuthority = head.canHaveAuthority && !path.isEmpty

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
}

/// The beginning of an address: its scheme and the slashes before the first segment.
struct AddressHead {
    /// The length of the scheme, or zero if there is none.
    let schemeLength: Int
    let pathStart: Int
    /// A Boolean value that indicates whether the first segment is an authority, if there is one.
    ///
    /// In `scheme:///p`, the third slash is the ignored leading slash, so the authority is empty.
    let canHaveAuthority: Bool

    @inline(__always)
    init(of bytes: Span<UInt8>) {
        self.init(of: bytes, schemeLength: Self.schemeLength(of: bytes))
    }

    @inline(__always)
    init(of bytes: Span<UInt8>, schemeLength: Int) {
        let start = schemeLength == 0 ? 0 : schemeLength &+ 3
        let hasLeadingSlash = start < bytes.count && bytes[start] == .slash
        self.schemeLength = schemeLength
        pathStart = hasLeadingSlash ? start &+ 1 : start
        canHaveAuthority = schemeLength > 0 && !hasLeadingSlash
    }

    /// Returns the place of the path without the ignored slashes.
    @inline(__always)
    func path(in bytes: Span<UInt8>, endingAt end: Int) -> Range<Int> {
        pathStart..<(end > pathStart && bytes[end &- 1] == .slash ? end &- 1 : end)
    }

    /// Returns the index of the colon if the text starts with a scheme followed by a colon and two slashes, and zero otherwise.
    @inline(__always)
    private static func schemeLength(of bytes: Span<UInt8>) -> Int {
        guard !bytes.isEmpty, bytes[0].isASCIILetter else { return 0 }
        var index = 1
        while index < bytes.count, bytes[index].isSchemeByte { index &+= 1 }
        guard index &+ 2 < bytes.count, bytes[index] == .colon, bytes[index &+ 1] == .slash,
            bytes[index &+ 2] == .slash
        else { return 0 }
        return index
    }
}
