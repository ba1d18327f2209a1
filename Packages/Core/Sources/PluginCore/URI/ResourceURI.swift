/// The address of something a bundle offers: `app://shop/item/42?from=demo#reviews`.
///
/// Split first and decoded after, each part once, by RFC 3986 and without Foundation's `URL`. Text that is not well
/// formed is an error and never `nil`: a `%` without two hexadecimal digits, escapes that are not UTF-8, or a NUL, in
/// any part, used or not.
///
/// - The scheme is there only when `://` follows it; without one, all segments belong to the path.
/// - The authority is the first segment. One leading slash of a URI without authority and one trailing slash are ignored.
/// - `%2F` never separates segments, and `+` is a plus; ``init(_:query:)`` reads a form's query.
///
/// ```swift
/// let uri = try ResourceURI("app://shop/item/42?tag=a&tag=b")
/// uri.segments                 // ["shop", "item", "42"]
/// uri.parameters.all("tag")    // ["a", "b"]
/// ```
public struct ResourceURI: Hashable, Sendable {
    /// The text as it was given.
    public let text: String
    /// The scheme in lower case (RFC 3986 section 3.1), or `nil`.
    public let scheme: String?
    /// A Boolean value that indicates whether the first segment came after `://` and so is a host, which is compared without case.
    public let hasAuthority: Bool
    /// The decoded segments of authority and path, in order. An empty inner segment is kept.
    public let segments: [String]
    /// The query, ordered and with repeated names.
    public let parameters: URIParameters
    /// What follows the first `#`, undecoded but known to be well formed; `nil` without one.
    public let fragment: String?

    /// Reads an address.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`, the whole text as subject and the offending part as detail.
    public init(_ text: String) throws(AtriumError) {
        self = try URISplitter(text).split()
    }

    /// Reads an address whose query may have been written by a web form.
    ///
    /// ```swift
    /// try ResourceURI("app://shop/search?text=desk+lamp", query: .form).parameters["text"]    // "desk lamp"
    /// ```
    ///
    /// - Parameter query: what a `+` in the query stands for. The rest of the address, its fragment included, is no form.
    /// - Throws: as ``init(_:)``.
    public init(_ text: String, query: QueryCoding) throws(AtriumError) {
        self = try URISplitter(text, query: query).split()
    }

    /// Makes an address from decoded parts; its text is their canonical spelling.
    ///
    /// - Parameters:
    ///   - scheme: without `://`; ASCII letters, digits, `+`, `-` and `.`.
    ///   - segments: decoded; with a scheme the first is the authority.
    ///   - parameters: decoded, in order.
    /// - Throws: ``AtriumError`` with code `uriMalformed` when a part holds a NUL or the scheme is not one.
    public init(scheme: String?, segments: [String], parameters: URIParameters = []) throws(AtriumError) {
        var text = scheme.map { $0 + "://" } ?? ""
        text += segments.map(PercentCoding.encode).joined(separator: "/")
        if !parameters.isEmpty { text += "?" + parameters.encoded }
        try self.init(text)
    }

    init(
        text: String, scheme: String?, hasAuthority: Bool, segments: [String], parameters: URIParameters,
        fragment: String?
    ) {
        self.text = text
        self.scheme = scheme
        self.hasAuthority = hasAuthority
        self.segments = segments
        self.parameters = parameters
        self.fragment = fragment
    }

    /// The same address with parameters added whose names it does not have; its text stays what was asked for.
    public func adding(_ parameters: URIParameters) -> ResourceURI {
        guard !parameters.isEmpty else { return self }
        return ResourceURI(
            text: text, scheme: scheme, hasAuthority: hasAuthority, segments: segments,
            parameters: self.parameters.merging(parameters), fragment: fragment
        )
    }

    /// The fragment read as an address of its own, as single-page apps use it: decoded segments, cut like the path, and
    /// the query behind a `?` inside the fragment. `nil` without a fragment.
    ///
    /// ```swift
    /// try ResourceURI("app://doc#/page/2?zoom=3").fragmentAddress?.segments    // ["page", "2"]
    /// ```
    public var fragmentAddress: (segments: [String], parameters: URIParameters)? {
        // Never throws: the whole fragment is known to be well formed, and it is only cut at ASCII.
        try? URISplitter(text).splitFragment()
    }

    /// The same address with the items of the fragment's query behind its own; its text stays what was asked for.
    public func addingFragmentParameters() -> ResourceURI {
        guard let items = fragmentAddress?.parameters.items, !items.isEmpty else { return self }
        return ResourceURI(
            text: text, scheme: scheme, hasAuthority: hasAuthority, segments: segments,
            parameters: URIParameters(parameters.items + items), fragment: fragment
        )
    }

    /// The segments joined by slashes, each encoded again: the part a bundle is looked up by.
    public var resourcePath: String {
        segments.map(PercentCoding.encode).joined(separator: "/")
    }
}

extension ResourceURI: CustomStringConvertible {
    /// The text as it was given.
    public var description: String { text }
}
