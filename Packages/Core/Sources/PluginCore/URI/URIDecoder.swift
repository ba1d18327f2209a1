/// The decoder of the parts of an address.
///
/// It works on bytes, because a `Character` may contain a separator: `/` followed by a combining mark is one character but still a slash.
struct URIDecoder {
    /// The whole address, for errors.
    let text: String

    /// Returns the whole address.
    func address() throws(AtriumError) -> ResourceURI {
        try address(of: text, text.utf8.span, URILayout(of: text.utf8.span))
    }

    private func address(
        of text: String, _ bytes: Span<UInt8>, _ layout: URILayout
    ) throws(AtriumError) -> ResourceURI {
        let segments = try segments(bytes.extracting(layout.path))
        let items = try items(bytes.extracting(layout.query))
        let fragment = try layout.fragment.map { range throws(AtriumError) in
            let fragment = bytes.extracting(range)
            // The pieces of a well-formed fragment are well-formed, because it is split at ASCII characters.
            _ = try decode(fragment, part: "fragment")
            return try address(of: fragment.string, fragment, URILayout(of: fragment, isFragment: true))
        }
        let details = ResourceURI.Details(
            scheme: layout.scheme.map { bytes.extracting($0).string.lowercased() }, parameters: URIParameters(items),
            fragment: fragment)
        return ResourceURI(text: text, segments: segments, hasAuthority: layout.hasAuthority, details: details)
    }

    /// Returns the decoded segments of a path without its outer slashes.
    private func segments(_ path: Span<UInt8>) throws(AtriumError) -> [String] {
        var segments: [String] = []
        if path.isEmpty { return segments }
        var start = 0
        while start <= path.count {
            let end = path.index(of: .slash, in: start..<path.count)
            segments.append(try decode(path.extracting(start..<end), part: "path"))
            start = end + 1
        }
        return segments
    }

    /// Returns the query items: the parts between ampersands, split at the first equals sign. Empty parts are skipped.
    private func items(_ query: Span<UInt8>) throws(AtriumError) -> [URIParameters.Item] {
        var items: [URIParameters.Item] = []
        var start = 0
        while start < query.count {
            let end = query.index(of: .ampersand, in: start..<query.count)
            if start < end {
                let equals = query.index(of: .equals, in: start..<end)
                let name = try decode(query.extracting(start..<equals), part: "query")
                let value = try decode(query.extracting(min(equals + 1, end)..<end), part: "query")
                items.append(URIParameters.Item(name: name, value: value))
            }
            start = end + 1
        }
        return items
    }

    /// Returns the decoded text of a part of the address.
    private func decode(_ piece: Span<UInt8>, part: String) throws(AtriumError) -> String {
        if piece.isDecoded { return piece.string }
        do {
            return try piece.withUnsafeBufferPointer { bytes throws(PercentCoding.Problem) in
                try PercentCoding.decode(bytes)
            }
        } catch {
            throw AtriumError(
                .uriMalformed, text, reason: "malformedPart",
                ["problem": .reason(ErrorReason(error.rawValue)), "piece": .text(piece.string), "part": .text(part)])
        }
    }
}

extension Span<UInt8> {
    /// A Boolean value that indicates whether there is no escape and no NUL, so that the text stands for itself.
    fileprivate var isDecoded: Bool {
        for index in indices where self[index] == .percent || self[index] == 0 { return false }
        return true
    }
}

/// The positions of the parts of an address in its bytes, without decoding.
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

    /// Finds the parts of an address.
    ///
    /// - Parameters:
    ///   - text: The address in UTF-8, or the text after its hash sign.
    ///   - isFragment: Whether the text is a fragment, which is interpreted as a path and a query and has no scheme and no fragment of its own.
    public init(of text: Span<UInt8>, isFragment: Bool = false) {
        let schemeEnd = isFragment ? nil : Self.schemeEnd(of: text)
        let start = schemeEnd.map { $0 + 3 } ?? 0
        let hash = isFragment ? text.count : text.index(of: .hash, in: start..<text.count)
        let question = text.index(of: .question, in: start..<hash)
        // In `scheme:///p`, the third slash is the ignored leading slash, so the authority is empty.
        let hasLeadingSlash = start < question && text[start] == .slash
        let pathStart = hasLeadingSlash ? start + 1 : start
        let hasTrailingSlash = pathStart < question && text[question - 1] == .slash
        scheme = schemeEnd.map { 0..<$0 }
        path = pathStart..<(hasTrailingSlash ? question - 1 : question)
        hasAuthority = schemeEnd != nil && !hasLeadingSlash && !path.isEmpty
        query = min(question + 1, hash)..<hash
        fragment = hash < text.count ? (hash + 1)..<text.count : nil
    }

    /// Returns the index of the colon if the text starts with a scheme followed by a colon and two slashes, or nil.
    private static func schemeEnd(of text: Span<UInt8>) -> Int? {
        guard !text.isEmpty, text[0].isASCIILetter else { return nil }
        var end = 1
        while end < text.count, text[end].isSchemeByte { end += 1 }
        guard end + 2 < text.count, text[end] == .colon, text[end + 1] == .slash, text[end + 2] == .slash else {
            return nil
        }
        return end
    }
}

extension Span<UInt8> {
    /// Returns the index of the first such byte in a range, or the end of the range.
    func index(of byte: UInt8, in range: Range<Int>) -> Int {
        var index = range.lowerBound
        while index < range.upperBound, self[index] != byte { index += 1 }
        return index
    }

    /// The text of a piece of an address, which is cut at ASCII and so is UTF-8.
    var string: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}
