/// The address of a page, object or handler of a bundle.
///
/// An address such as `app://shop/item/42?from=demo#reviews` is split first, and then each part is decoded once, by RFC 3986 and without
/// Foundation's `URL`. Malformed text is an error, in any part: a `%` without two hexadecimal digits, escapes that are not UTF-8, or a NUL.
///
/// - The scheme must be followed by `://`; without it, all segments belong to the path.
/// - The authority is the first segment. One leading slash of a URI without authority and one trailing slash are ignored.
/// - `%2F` does not separate segments, and `+` stands for itself.
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
    /// The decoded segments of authority and path, in order. Empty segments inside the path are kept.
    public let segments: [String]
    /// A Boolean value that indicates whether the first segment is an authority, which is compared case-insensitively.
    public let hasAuthority: Bool
    let details: Details

    /// The decoded parts of an address that are not needed for most comparisons.
    @usableFromInline
    final class Details: Sendable {
        let scheme: String?
        let parameters: URIParameters
        let fragment: ResourceURI?

        init(scheme: String?, parameters: URIParameters, fragment: ResourceURI?) {
            self.scheme = scheme
            self.parameters = parameters
            self.fragment = fragment
        }
    }
}

extension ResourceURI {
    /// Parses an address.
    ///
    /// - Throws: ``AtriumError`` with code `uriMalformed`, the whole text as subject and the malformed part as detail.
    public init(_ text: String) throws(AtriumError) {
        self = try URIDecoder(text: text).address()
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

    /// Returns this address with additional parameters whose names it doesn't have. Its text does not change.
    public func adding(_ parameters: URIParameters) -> ResourceURI {
        parameters.isEmpty ? self : replacing(self.parameters.merging(parameters))
    }

    /// Returns this address with the query items of its fragment appended to its own. Its text does not change.
    public func addingFragmentParameters() -> ResourceURI {
        guard let items = fragmentAddress?.parameters.items, !items.isEmpty else { return self }
        return replacing(URIParameters(parameters.items + items))
    }

    private func replacing(_ parameters: URIParameters) -> ResourceURI {
        let details = Details(scheme: scheme, parameters: parameters, fragment: fragmentAddress)
        return Self(text: text, segments: segments, hasAuthority: hasAuthority, details: details)
    }

    /// The scheme in lowercase, or nil if there is none. See RFC 3986, section 3.1.
    public var scheme: String? { details.scheme }

    /// The query items in order, including repeated names.
    public var parameters: URIParameters { details.parameters }

    /// The text after the first hash sign, not decoded but well-formed, or nil if there is none.
    public var fragment: String? { details.fragment?.text }

    /// The fragment interpreted as an address, as single-page apps do, or nil without a fragment.
    ///
    /// It has decoded segments, split like the path, and the query after a `?` inside the fragment. It has neither scheme nor fragment.
    ///
    /// ```swift
    /// try ResourceURI("app://doc#/page/2?zoom=3").fragmentAddress?.segments    // ["page", "2"]
    /// ```
    public var fragmentAddress: ResourceURI? { details.fragment }

    /// The segments, percent-encoded and joined by slashes, by which a bundle is looked up.
    public var resourcePath: String {
        segments.map(PercentCoding.encode).joined(separator: "/")
    }
}

extension ResourceURI: Hashable {
    /// Compares the parts of two addresses.
    public static func == (one: ResourceURI, other: ResourceURI) -> Bool {
        // A fragment has other segments than an address of the same text, and parameters can be added.
        one.text == other.text && one.segments == other.segments && one.parameters == other.parameters
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension ResourceURI: CustomStringConvertible {
    /// The unchanged text.
    public var description: String { text }
}

/// The named texts of an address in order: the decoded items of a query, including repeated names, or the captures of a pattern.
///
/// ```swift
/// let parameters = try ResourceURI("app://shop?tag=a&tag=b").parameters
/// parameters["tag"]        // "a"
/// parameters.all("tag")    // ["a", "b"]
/// ```
public struct URIParameters: Hashable, Sendable, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// A query item or a capture.
    public struct Item: Hashable, Sendable {
        /// The decoded name, which may be empty.
        public let name: String
        /// The decoded value, which is empty if there was none.
        public let value: String

        /// Creates an item from a decoded name and a decoded value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All items, in the order of the address or the pattern.
    public let items: [Item]

    /// Creates parameters from items in their order.
    public init(_ items: [Item] = []) {
        self.items = items
    }

    /// Returns the first value of a name, or nil if there is none.
    public subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// Returns all values of a name, in order.
    public func all(_ name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    /// Returns these items, followed by those of other parameters whose names do not occur here.
    public func merging(_ other: URIParameters) -> URIParameters {
        let names = Set(items.map(\.name))
        return Self(items + other.items.filter { !names.contains($0.name) })
    }

    /// A Boolean value that indicates whether there are no items.
    public var isEmpty: Bool { items.isEmpty }

    /// The percent-encoded text, without the question mark.
    public var encoded: String {
        items.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
    }

    /// Creates parameters from a dictionary literal, in the order written.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Item(name: $0.0, value: $0.1) })
    }

    /// Creates parameters from an array literal of items.
    public init(arrayLiteral elements: Item...) {
        self.init(elements)
    }
}

extension URIParameters: CustomStringConvertible {
    /// The items as a dictionary literal, in order.
    public var description: String {
        let items = items.map { "\($0.name.debugDescription): \($0.value.debugDescription)" }
        return items.isEmpty ? "[:]" : "[\(items.joined(separator: ", "))]"
    }
}
