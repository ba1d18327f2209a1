public import PluginCore

/// A route's pattern: literals and captures between slashes, with or without a scheme in front.
///
///     pattern = [scheme "://"] segment *("/" segment)
///     segment = literal | ":" name
///
/// One leading and one trailing slash are ignored; escapes are decoded after the pattern is cut up, so `%3A` is a literal
/// colon. A pattern without scheme serves every scheme. The characters that the wider grammar of patterns gives a meaning
/// (`*`, `(`, `)`, `<`, `>`, `{`, `}`, `#`, `?`, and a `:name` inside a segment) are refused and never taken literally.
///
/// ```swift
/// let pattern = try RoutePattern("shop/item/:id")
/// pattern.captures(from: try ResourceURI("app://shop/item/42"))    // ["id": "42"]
/// ```
public struct RoutePattern: Hashable, Sendable {
    /// One piece between slashes.
    public enum Segment: Hashable, Sendable {
        /// Matches this text alone.
        case literal(String)
        /// Matches any text but none, and gives it a name.
        case capture(String)
    }

    /// The pattern as it was written.
    public let text: String
    /// The scheme in lower case, or `nil` for every scheme.
    public let scheme: String?
    /// The segments in order.
    public let segments: [Segment]

    /// Reads a pattern.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed`.
    public init(_ text: String) throws(AtriumError) {
        (self.scheme, self.segments) = try PatternReader(text).read()
        self.text = text
    }

    /// What the pattern captures from an address, or `nil` when it does not match.
    ///
    /// Literals are compared byte by byte; the authority, and what a pattern with a scheme has in its place, without
    /// ASCII case.
    public func captures(from uri: ResourceURI) -> [String: String]? {
        guard scheme == nil || scheme == uri.scheme, segments.count == uri.segments.count else { return nil }
        var captures: [String: String] = [:]
        for (index, (segment, text)) in zip(segments, uri.segments).enumerated() {
            switch segment {
            case .literal(let literal):
                let folds = index == 0 && uri.hasAuthority
                guard folds ? literal.equalsIgnoringASCIICase(text) : literal.utf8.elementsEqual(text.utf8)
                else { return nil }
            case .capture(let name):
                guard !text.isEmpty else { return nil }
                captures[name] = text
            }
        }
        return captures
    }

    /// The same for two patterns that match the same addresses: names of captures, case of the authority and outer
    /// slashes do not count.
    public var shape: String {
        let pieces = segments.enumerated().map { index, segment in
            switch segment {
            case .literal(let text):
                PercentCoding.encode(index == 0 && scheme != nil ? text.lowercasedASCII : text)
            case .capture: ":"
            }
        }
        return (scheme.map { $0 + "://" } ?? "") + pieces.joined(separator: "/")
    }

    /// The first segment in lower case when it is a literal, else empty: what a directory of many routes is indexed by.
    public var head: String {
        guard case .literal(let text) = segments.first else { return "" }
        return text.lowercasedASCII
    }

    /// The heads of all patterns that can match an address.
    public static func heads(matching uri: ResourceURI) -> [String] {
        uri.segments.first.map { [$0.lowercasedASCII, ""] } ?? [""]
    }

    /// Whether this pattern is asked before `other` when both match: at the leftmost difference a literal comes before a
    /// capture; between equals, a scheme before none.
    public func precedes(_ other: RoutePattern) -> Bool {
        for (mine, theirs) in zip(segments, other.segments) {
            switch (mine, theirs) {
            case (.literal, .capture): return true
            case (.capture, .literal): return false
            default: continue
            }
        }
        return scheme != nil && other.scheme == nil
    }
}

extension String {
    var lowercasedASCII: String {
        String(decoding: utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        lowercasedASCII.utf8.elementsEqual(other.lowercasedASCII.utf8)
    }
}
