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
    /// The parts of the address, which do not contain its text.
    public let components: Components

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
        let components = try Components(of: text.utf8.span, query: query)
        self.init(text, components)
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
    init(fragment text: String, _ decoder: URIDecoder) throws(AtriumError) {
        let components = try Components(fragment: text.utf8.span, decoder)
        self.init(text, components)
    }

    @inline(__always)
    private init(_ text: String, _ components: Components) {
        self.text = text
        self.components = components
    }

    /// Returns this address with additional parameters whose names it doesn't have. Its text does not change.
    public func adding(_ parameters: URIParameters) -> ResourceURI {
        if parameters.isEmpty { return self }
        return ResourceURI(text, Components(components, parameters: self.parameters.merging(parameters)))
    }

    /// Returns this address with the query items of its fragment appended to its own. Its text does not change.
    public func addingFragmentParameters() -> ResourceURI {
        guard let items = fragmentAddress?.parameters.items, !items.isEmpty else { return self }
        return ResourceURI(text, Components(components, parameters: URIParameters(parameters.items + items)))
    }
}

extension ResourceURI {
    /// The scheme in lowercase, or nil if there is none. See RFC 3986, section 3.1.
    public var scheme: String? { components.scheme(in: text.utf8.span) }

    /// A Boolean value that indicates whether the first segment is an authority, which is compared case-insensitively.
    @inlinable public var hasAuthority: Bool { components.hasAuthority }

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
    public var parameters: URIParameters { components.details?.parameters ?? [] }

    /// The text after the first hash sign, not decoded but well-formed, or nil if there is none.
    public var fragment: String? { components.details?.fragment }

    /// The fragment interpreted as an address, as single-page apps do, or nil without a fragment.
    ///
    /// It has decoded segments, split like the path, and the query after a `?` inside the fragment. It has neither scheme nor fragment.
    ///
    /// ```swift
    /// try ResourceURI("app://doc#/page/2?zoom=3").fragmentAddress?.segments    // ["page", "2"]
    /// ```
    public var fragmentAddress: ResourceURI? { components.fragmentAddress }

    /// The segments, percent-encoded and joined by slashes, by which a bundle is looked up.
    public var resourcePath: String {
        segments.map(PercentCoding.encode).joined(separator: "/")
    }
}

/// The segments as places in a text, so that code that matches addresses needs no copy of them.
extension ResourceURI {
    /// Calls a closure with the text that contains the decoded segments, in UTF-8. See ``Components/withSegmentText(of:_:)``.
    @inlinable
    public func withSegmentText<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        try components.withSegmentText(of: text.utf8.span, body)
    }

    /// The number of segments.
    @inlinable public var segmentCount: Int { components.segmentCount }

    /// Returns the place of a segment in the text of ``withSegmentText(_:)``.
    ///
    /// - Parameter index: An index below ``segmentCount``.
    @inlinable
    public func segmentRange(_ index: Int) -> Range<Int> { components.segmentRange(index) }
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
