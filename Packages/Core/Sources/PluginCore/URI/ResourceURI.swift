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
public struct ResourceURI: Hashable, Sendable {
    /// The unchanged text.
    public let text: String
    /// The scheme in lowercase, or nil if there is none. See RFC 3986, section 3.1.
    public let scheme: String?
    /// A Boolean value that indicates whether the first segment is an authority, which is compared case-insensitively.
    public let hasAuthority: Bool
    /// The decoded segments of authority and path, in order. Empty segments inside the path are kept.
    public let segments: [String]
    /// The query items in order, including repeated names.
    public let parameters: URIParameters
    /// The text after the first hash sign, not decoded but well-formed, or nil if there is none.
    public let fragment: String?
    /// The fragment split as a path and a query.
    private let fragmentParts: FragmentParts?

    /// Parses an address.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`, the whole text as subject and the malformed part as detail.
    public init(_ text: String) throws(AtriumError) {
        self = try URISplitter(text).split()
    }

    /// Parses an address whose query may be encoded as a web form.
    ///
    /// ```swift
    /// try ResourceURI("app://shop/search?text=desk+lamp", query: .form).parameters["text"]    // "desk lamp"
    /// ```
    ///
    /// - Parameter query: The encoding of the query. It does not apply to the rest of the address, including the fragment.
    /// - Throws: The errors of ``init(_:)``.
    public init(_ text: String, query: QueryCoding) throws(AtriumError) {
        self = try URISplitter(text, query: query).split()
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

    init(
        text: String, scheme: String?, hasAuthority: Bool, segments: [String], parameters: URIParameters,
        fragment: String?, _ fragmentParts: FragmentParts?
    ) {
        self.text = text
        self.scheme = scheme
        self.hasAuthority = hasAuthority
        self.segments = segments
        self.parameters = parameters
        self.fragment = fragment
        self.fragmentParts = fragmentParts
    }

    /// Returns this address with additional parameters whose names it doesn't have. Its text does not change.
    public func adding(_ parameters: URIParameters) -> ResourceURI {
        guard !parameters.isEmpty else { return self }
        return ResourceURI(
            text: text, scheme: scheme, hasAuthority: hasAuthority, segments: segments,
            parameters: self.parameters.merging(parameters), fragment: fragment, fragmentParts
        )
    }

    /// The fragment interpreted as an address, as single-page apps do, or nil without a fragment.
    ///
    /// It has decoded segments, split like the path, and the query after a `?` inside the fragment.
    ///
    /// ```swift
    /// try ResourceURI("app://doc#/page/2?zoom=3").fragmentAddress?.segments    // ["page", "2"]
    /// ```
    public var fragmentAddress: (segments: [String], parameters: URIParameters)? {
        fragmentParts.map { ($0.segments, $0.parameters) }
    }

    /// Returns this address with the query items of its fragment appended to its own. Its text does not change.
    public func addingFragmentParameters() -> ResourceURI {
        guard let items = fragmentAddress?.parameters.items, !items.isEmpty else { return self }
        return ResourceURI(
            text: text, scheme: scheme, hasAuthority: hasAuthority, segments: segments,
            parameters: URIParameters(parameters.items + items), fragment: fragment, fragmentParts
        )
    }

    /// The segments, percent-encoded and joined by slashes, by which a bundle is looked up.
    public var resourcePath: String {
        segments.map(PercentCoding.encode).joined(separator: "/")
    }
}

/// A fragment, split as an address of its own.
struct FragmentParts: Hashable, Sendable {
    let segments: [String]
    let parameters: URIParameters
}

extension ResourceURI: CustomStringConvertible {
    /// The unchanged text.
    public var description: String { text }
}
