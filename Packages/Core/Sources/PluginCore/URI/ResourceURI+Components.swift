extension ResourceURI {
    /// The parts of an address, as places in its text wherever possible.
    ///
    /// They do not contain the text, so an address can be matched without counting a reference to it.
    ///
    /// ```swift
    /// let text = "app://shop/item/42"
    /// let components = try ResourceURI.Components(of: text.utf8.span, query: .plain)
    /// components.segmentRange(1)    // 11..<15
    /// ```
    @frozen
    public struct Components: Sendable {
        /// The decoded parts of the address, or nil for a short path without escapes, query and fragment.
        @usableFromInline let details: Details?
        /// The length of the scheme, or zero for an address without one.
        private let schemeLength: Int
        /// The segments in the address's text, unless the path is decoded.
        @usableFromInline let shortPath: ShortPath
        /// A Boolean value that indicates whether the segments are in ``Details/path`` instead of in the address's text.
        @usableFromInline let isPathDecoded: Bool
        /// A Boolean value that indicates whether the first segment is an authority, which is compared case-insensitively.
        public let hasAuthority: Bool

        /// Parses an address.
        ///
        /// - Parameters:
        ///   - text: The address in UTF-8.
        ///   - query: The encoding of the query.
        /// - Throws: The errors of ``ResourceURI/init(_:query:)``.
        @inline(__always)
        public init(of text: Span<UInt8>, query: QueryCoding) throws(AtriumError) {
            let head = AddressHead(of: text)
            let path = head.path(in: text, endingAt: text.count)
            if let shortPath = ShortPath(in: text.extracting(..<path.upperBound), from: path.lowerBound) {
                self.init(head.schemeLength, shortPath, hasAuthority: head.canHaveAuthority && !path.isEmpty, nil)
            } else {
                try self.init(decoding: text, query)
            }
        }

        /// Parses an address that has more than a short path.
        private init(decoding text: Span<UInt8>, _ query: QueryCoding) throws(AtriumError) {
            let layout = URILayout(of: text)
            let decoder = URIDecoder(text: text.string, isPlain: layout.isPlain)
            let path = try decoder.path(text, layout.path, part: "path")
            let items = try decoder.items(of: text.extracting(layout.query), part: "query", query)
            var fragment: (text: String, address: ResourceURI)?
            if let range = layout.fragment {
                let bytes = text.extracting(range)
                // The pieces of a well-formed fragment are well-formed, because it is split at ASCII characters.
                _ = try decoder.decode(bytes, part: "fragment", .plain)
                fragment = (bytes.string, try ResourceURI(fragment: bytes.string, decoder))
            }
            let details = Details(
                path: path.decoded, parameters: URIParameters(items), fragment: fragment?.text,
                fragmentAddress: fragment?.address)
            self.init(layout.scheme?.count ?? 0, path.short, hasAuthority: layout.hasAuthority, details)
        }

        /// Parses a fragment that is interpreted as an address.
        init(fragment text: Span<UInt8>, _ decoder: URIDecoder) throws(AtriumError) {
            let layout = URILayout(ofFragment: text)
            let path = try decoder.path(text, layout.path, part: "fragment")
            let items = try decoder.items(of: text.extracting(layout.query), part: "fragment", .plain)
            let details = Details(path: path.decoded, parameters: URIParameters(items))
            self.init(0, path.short, hasAuthority: false, details)
        }

        /// Copies the parts of an address with other parameters.
        init(_ components: Components, parameters: URIParameters) {
            let details = Details(
                path: components.details?.path, parameters: parameters, fragment: components.details?.fragment,
                fragmentAddress: components.fragmentAddress)
            self.init(
                components.schemeLength, components.isPathDecoded ? nil : components.shortPath,
                hasAuthority: components.hasAuthority, details)
        }

        @inline(__always)
        private init(_ schemeLength: Int, _ shortPath: ShortPath?, hasAuthority: Bool, _ details: Details?) {
            self.details = details
            self.schemeLength = schemeLength
            self.shortPath = shortPath ?? ShortPath()
            isPathDecoded = shortPath == nil
            self.hasAuthority = hasAuthority
        }
    }

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
}

extension ResourceURI.Components {
    /// Returns the scheme in lowercase, or nil for an address without one.
    ///
    /// - Parameter text: The address in UTF-8.
    public func scheme(in text: Span<UInt8>) -> String? {
        if schemeLength == 0 { return nil }
        let bytes = text.extracting(0..<schemeLength)
        if bytes.indices.allSatisfy({ !bytes[$0].isASCIIUppercase }) { return bytes.string }
        return String(decoding: bytes.indices.map { bytes[$0].lowercasedASCII }, as: UTF8.self)
    }

    /// The fragment interpreted as an address, or nil without a fragment. See ``ResourceURI/fragmentAddress``.
    public var fragmentAddress: ResourceURI? { details?.fragmentAddress }

    /// Calls a closure with the text that contains the decoded segments, in UTF-8.
    ///
    /// It is that of the address itself if its path has no escapes.
    ///
    /// - Parameter text: The address in UTF-8.
    @inlinable
    public func withSegmentText<R>(of text: Span<UInt8>, _ body: (Span<UInt8>) throws -> R) rethrows -> R {
        try isPathDecoded ? body(decodedText.utf8.span) : body(text)
    }

    /// The number of segments.
    @inlinable public var segmentCount: Int { isPathDecoded ? decodedSegmentCount : Int(shortPath.count) }

    /// Returns the place of a segment in the text of ``withSegmentText(of:_:)``.
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
