/// The positions of the parts of an address in its bytes, found without decoding and copying.
///
/// ``ResourceURI`` is this plus decoding. Code that matches many addresses against many patterns uses the layout and decodes only the parts
/// that it needs.
///
/// ```swift
/// let layout = URILayout(of: "app://shop/item?x=1".utf8.span)
/// layout.scheme    // 0..<3
/// layout.path      // 6..<15
/// ```
public struct URILayout: Hashable, Sendable {
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
    /// The path inside the fragment, or nil without a fragment.
    public let fragmentPath: Range<Int>?
    /// The query inside the fragment. Empty if there is none.
    public let fragmentQuery: Range<Int>
    /// A Boolean value that indicates whether no part needs decoding: there is no escape and no NUL, so nothing can be malformed.
    public let isPlain: Bool

    /// Finds the parts of an address.
    ///
    /// - Parameter bytes: The address in UTF-8.
    public init(of bytes: Span<UInt8>) {
        var (question, hash, fragmentQuestion) = (-1, -1, -1)
        var isPlain = true
        for index in bytes.indices {
            // All separators are below `A`, so one comparison skips a letter.
            let byte = bytes[index]
            guard byte <= .question else { continue }
            switch byte {
            case .percent, 0: isPlain = false
            case .question:
                if hash >= 0 {
                    if fragmentQuestion < 0 { fragmentQuestion = index }
                } else if question < 0 {
                    question = index
                }
            case .hash: if hash < 0 { hash = index }
            default: continue
            }
        }
        let end = hash < 0 ? bytes.count : hash
        let pathEnd = question < 0 ? end : question
        let schemeEnd = Self.schemeEnd(in: bytes, before: pathEnd)
        let (path, hasLeadingSlash) = Self.trimmed(bytes, (schemeEnd.map { $0 + 3 } ?? 0)..<pathEnd)
        self.scheme = schemeEnd.map { 0..<$0 }
        self.path = path
        self.query = question < 0 ? end..<end : (question + 1)..<end
        // In `scheme:///p`, the third slash is the ignored leading slash, so the authority is empty.
        self.hasAuthority = schemeEnd != nil && !hasLeadingSlash && !path.isEmpty
        self.isPlain = isPlain
        if hash >= 0 {
            let fragmentEnd = fragmentQuestion < 0 ? bytes.count : fragmentQuestion
            self.fragment = (hash + 1)..<bytes.count
            self.fragmentPath = Self.trimmed(bytes, (hash + 1)..<fragmentEnd).path
            self.fragmentQuery =
                fragmentQuestion < 0 ? fragmentEnd..<fragmentEnd : (fragmentQuestion + 1)..<bytes.count
        } else {
            self.fragment = nil
            self.fragmentPath = nil
            self.fragmentQuery = bytes.count..<bytes.count
        }
    }

    /// Returns the index of the colon if the text starts with a scheme followed by a colon and two slashes.
    private static func schemeEnd(in bytes: Span<UInt8>, before end: Int) -> Int? {
        guard end > 0, bytes[0].isASCIILetter else { return nil }
        var index = 1
        while index < end, bytes[index].isSchemeByte { index += 1 }
        guard index + 2 < end, bytes[index] == .colon, bytes[index + 1] == .slash, bytes[index + 2] == .slash
        else { return nil }
        return index
    }

    /// Returns a path without one leading and one trailing slash, and whether there was a leading one.
    private static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (path: Range<Int>, leading: Bool) {
        var (start, end) = (range.lowerBound, range.upperBound)
        let leading = start < end && bytes[start] == .slash
        if leading { start += 1 }
        if start < end, bytes[end - 1] == .slash { end -= 1 }
        return (start..<end, leading)
    }
}
