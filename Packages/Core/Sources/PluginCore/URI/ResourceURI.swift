/// The address of a page, object or handler of a bundle.
///
/// An address such as `app://shop/item/42?from=demo#reviews` is split first, and then each part is decoded once, by RFC 3986 and without
/// Foundation's `URL`. Malformed text is an error, in any part: a `%` without two hexadecimal digits, escapes that are not UTF-8, or a NUL.
///
/// - The scheme must be followed by `://`; without it, all segments belong to the path.
/// - The authority is the first segment. One leading slash of a URI without authority and one trailing slash are ignored.
/// - `%2F` does not separate segments, and `+` stands for itself; ``init(_:query:)`` reads the query of a web form.
///
/// ```swift
/// let uri = try ResourceURI("app://shop/item/42?tag=a&tag=b")
/// uri.segments                 // ["shop", "item", "42"]
/// uri.parameters.all("tag")    // ["a", "b"]
/// ```
@frozen
public struct ResourceURI: Sendable {
    /// The unchanged text.
    public let text: String
    /// The decoded parts of the address, or nil for a short path without escapes, query and fragment.
    @usableFromInline let details: Details?
    /// The length of the scheme, or zero if there is none.
    private let schemeLength: Int
    /// The segments in ``text``, unless the path is decoded.
    @usableFromInline let shortPath: ShortPath
    /// A Boolean value that indicates whether the segments are in ``Details/path`` instead of in ``text``.
    @usableFromInline let isPathDecoded: Bool
    /// A Boolean value that indicates whether the first segment is an authority, which is compared case-insensitively.
    public let hasAuthority: Bool

    /// The parts of an address that are not slices of its text.
    @usableFromInline
    final class Details: Sendable {
        /// The decoded path, or nil if the segments are slices of the text.
        let path: DecodedPath?
        let parameters: URIParameters
        let fragment: String?
        let fragmentAddress: ResourceURI?

        init(
            path: DecodedPath?, parameters: URIParameters, fragment: String? = nil, fragmentAddress: ResourceURI? = nil
        ) {
            self.path = path
            self.parameters = parameters
            self.fragment = fragment
            self.fragmentAddress = fragmentAddress
        }
    }

    /// Parses an address.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`, the whole text as subject and the malformed part as detail.
    public init(_ text: String) throws(AtriumError) {
        try self.init(text, query: .plain)
    }

    /// Parses an address whose query may be encoded as a web form.
    ///
    /// ```swift
    /// try ResourceURI("app://shop/search?text=desk+lamp", query: .form).parameters["text"]    // "desk lamp"
    /// ```
    ///
    /// - Parameter query: The encoding of the query. It does not apply to the rest of the address, including the fragment.
    /// - Throws: The errors of ``init(_:)``.
    @inline(__always)
    public init(_ text: String, query: QueryCoding) throws(AtriumError) {
        if let path = Self.ordinaryPath(of: text) {
            self.init(text, path.schemeLength, path.segments, hasAuthority: path.hasAuthority)
        } else {
            try self.init(decoding: text, query)
        }
    }

    /// Returns the parts of an address that has only a short path, or nil.
    @inline(__always)
    private static func ordinaryPath(
        of text: borrowing String
    ) -> (schemeLength: Int, segments: ShortPath, hasAuthority: Bool)? {
        let bytes = text.utf8.span
        let head = AddressHead(of: bytes)
        let path = head.path(in: bytes, endingAt: bytes.count)
        guard let segments = ShortPath(in: bytes.extracting(..<path.upperBound), from: path.lowerBound) else {
            return nil
        }
        return (head.schemeLength, segments, head.canHaveAuthority && !path.isEmpty)
    }

    /// Parses an address that has more than a short path.
    private init(decoding text: String, _ query: QueryCoding) throws(AtriumError) {
        let bytes = text.utf8.span
        let layout = URILayout(of: bytes)
        let decoder = URIDecoder(text: text, isPlain: layout.isPlain)
        let path = try decoder.path(bytes, layout.path, part: "path")
        let items = try decoder.items(of: bytes.extracting(layout.query), part: "query", query)
        var fragment: (text: String, address: ResourceURI)?
        if let range = layout.fragment {
            let bytes = bytes.extracting(range)
            // The pieces of a well-formed fragment are well-formed, because it is split at ASCII characters.
            _ = try decoder.decode(bytes, part: "fragment", .plain)
            fragment = (bytes.string, try ResourceURI(fragment: bytes.string, decoder))
        }
        let details = Details(
            path: path.decoded, parameters: URIParameters(items), fragment: fragment?.text,
            fragmentAddress: fragment?.address)
        self.init(text, layout, path.short, details)
    }

    /// Creates an address from decoded parts, in its canonical spelling.
    ///
    /// - Parameters:
    ///   - scheme: The scheme without `://`: ASCII letters, digits, `+`, `-` and `.`.
    ///   - segments: The decoded segments. With a scheme, the first is the authority.
    ///   - parameters: The decoded query items, in order.
    /// - Throws: ``AtriumError`` with code `uriMalformed` if a part contains a NUL or the scheme is invalid.
    public init(scheme: String?, segments: [String], parameters: URIParameters = []) throws(AtriumError) {
        var text = scheme.map { $0 + "://" } ?? ""
        text += segments.map(PercentCoding.encode).joined(separator: "/")
        if !parameters.isEmpty { text += "?" + parameters.encoded }
        try self.init(text)
    }

    /// Interprets a fragment as an address.
    private init(fragment text: String, _ decoder: URIDecoder) throws(AtriumError) {
        let bytes = text.utf8.span
        let layout = URILayout(ofFragment: bytes)
        let path = try decoder.path(bytes, layout.path, part: "fragment")
        let items = try decoder.items(of: bytes.extracting(layout.query), part: "fragment", .plain)
        self.init(text, layout, path.short, Details(path: path.decoded, parameters: URIParameters(items)))
    }

    private init(_ text: String, _ layout: URILayout, _ shortPath: ShortPath?, _ details: Details) {
        self.init(text, layout.scheme?.count ?? 0, shortPath, hasAuthority: layout.hasAuthority, details)
    }

    @inline(__always)
    private init(
        _ text: String, _ schemeLength: Int, _ shortPath: ShortPath?, hasAuthority: Bool, _ details: Details? = nil
    ) {
        self.text = text
        self.details = details
        self.schemeLength = schemeLength
        self.shortPath = shortPath ?? ShortPath()
        isPathDecoded = shortPath == nil
        self.hasAuthority = hasAuthority
    }

    private init(_ uri: ResourceURI, parameters: URIParameters) {
        text = uri.text
        schemeLength = uri.schemeLength
        shortPath = uri.shortPath
        isPathDecoded = uri.isPathDecoded
        hasAuthority = uri.hasAuthority
        details = Details(
            path: uri.details?.path, parameters: parameters, fragment: uri.fragment,
            fragmentAddress: uri.fragmentAddress)
    }

    /// Returns this address with additional parameters whose names it doesn't have. Its text does not change.
    public func adding(_ parameters: URIParameters) -> ResourceURI {
        if parameters.isEmpty { return self }
        return ResourceURI(self, parameters: self.parameters.merging(parameters))
    }

    /// Returns this address with the query items of its fragment appended to its own. Its text does not change.
    public func addingFragmentParameters() -> ResourceURI {
        guard let items = fragmentAddress?.parameters.items, !items.isEmpty else { return self }
        return ResourceURI(self, parameters: URIParameters(parameters.items + items))
    }
}

extension ResourceURI {
    /// The scheme in lowercase, or nil if there is none. See RFC 3986, section 3.1.
    public var scheme: String? {
        if schemeLength == 0 { return nil }
        let bytes = text.utf8.span.extracting(0..<schemeLength)
        if bytes.indices.allSatisfy({ !bytes[$0].isASCIIUppercase }) { return bytes.string }
        return String(decoding: text.utf8.prefix(schemeLength).map(\.lowercasedASCII), as: UTF8.self)
    }

    /// The decoded segments of authority and path, in order. Empty segments inside the path are kept.
    ///
    /// Each access creates the array.
    public var segments: [String] {
        var segments: [String] = []
        segments.reserveCapacity(segmentCount)
        withSegmentText { text in
            for index in 0..<segmentCount { segments.append(text.extracting(segmentRange(index)).string) }
        }
        return segments
    }

    /// The query items in order, including repeated names.
    public var parameters: URIParameters { details?.parameters ?? [] }

    /// The text after the first hash sign, not decoded but well-formed, or nil if there is none.
    public var fragment: String? { details?.fragment }

    /// The fragment interpreted as an address, as single-page apps do, or nil without a fragment.
    ///
    /// It has decoded segments, split like the path, and the query after a `?` inside the fragment. It has neither scheme nor fragment.
    ///
    /// ```swift
    /// try ResourceURI("app://doc#/page/2?zoom=3").fragmentAddress?.segments    // ["page", "2"]
    /// ```
    public var fragmentAddress: ResourceURI? { details?.fragmentAddress }

    /// The segments, percent-encoded and joined by slashes, by which a bundle is looked up.
    public var resourcePath: String {
        segments.map(PercentCoding.encode).joined(separator: "/")
    }
}

/// The segments as places in a text, so that code that matches addresses needs no copy of them.
extension ResourceURI {
    /// Calls a closure with the text that contains the decoded segments, in UTF-8.
    ///
    /// It is that of the address itself if its path has no escapes.
    @inlinable
    public func withSegmentText<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        try isPathDecoded ? body(decodedText.utf8.span) : body(text.utf8.span)
    }

    /// The number of segments.
    @inlinable public var segmentCount: Int { isPathDecoded ? decodedSegmentCount : Int(shortPath.count) }

    /// Returns the place of a segment in the text of ``withSegmentText(_:)``.
    ///
    /// - Parameter index: An index below ``segmentCount``.
    @inlinable
    public func segmentRange(_ index: Int) -> Range<Int> {
        isPathDecoded ? decodedRange(index) : shortPath.range(index)
    }

    @usableFromInline var decodedText: String { details?.path?.text ?? "" }
    @usableFromInline var decodedSegmentCount: Int { details?.path?.ends.count ?? 0 }
    @usableFromInline func decodedRange(_ index: Int) -> Range<Int> { details?.path?.range(index) ?? 0..<0 }
}

extension ResourceURI: Hashable {
    /// Compares the parts of two addresses.
    public static func == (one: ResourceURI, other: ResourceURI) -> Bool {
        one.text == other.text && one.scheme == other.scheme && one.hasAuthority == other.hasAuthority
            && one.segments == other.segments && one.parameters == other.parameters && one.fragment == other.fragment
            && one.fragmentAddress == other.fragmentAddress
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ResourceURI: CustomStringConvertible {
    /// The unchanged text.
    public var description: String { text }
}
