public import PluginCore

/// The captures of an address that matches a pattern.
///
/// They are places in the address. Only ``values`` and ``rest`` copy their texts.
///
/// ```swift
/// let captures = try RoutePattern("shop/:id").captures(from: ResourceURI("app://shop/42"))
/// captures?.forEach { name, text in print(name, text.count) }    // id 2
/// ```
public struct RouteCaptures: Sendable {
    private let uri: ResourceURI
    private let expansion: RoutePattern.Expansion

    /// Captures from an address that the expansion must match.
    init(_ uri: ResourceURI, _ expansion: RoutePattern.Expansion) {
        self.uri = uri
        self.expansion = expansion
    }

    /// The segments that a double-star wildcard matched.
    public struct Rest: Hashable, Sendable {
        /// The name of the wildcard, by default "rest".
        public let name: String
        /// The decoded segments in order. There may be none, and each may be empty.
        public let segments: [String]
    }

    /// A Boolean value that indicates whether the pattern matched the fragment, so the fragment's query belongs to the request.
    public var takesFragment: Bool { expansion.fragment != nil }

    /// Calls a closure with the name and the decoded text, in UTF-8, of each capture in the order of the pattern.
    ///
    /// A capture in an absent group has no text. The segments of a double-star wildcard are in ``rest``.
    public func forEach(_ body: (_ name: String, _ text: Span<UInt8>) -> Void) {
        expansion.forEachCapture(of: uri.components, in: uri.text.utf8.span, body)
    }

    /// The decoded texts of the captures in the order of the pattern.
    public var values: URIParameters {
        var items: [URIParameters.Item] = []
        items.reserveCapacity(expansion.captureCount)
        forEach { items.append(URIParameters.Item(name: $0, value: $1.string)) }
        return URIParameters(items)
    }

    /// The segments that the double-star wildcard matched, or nil if the matching expansion has none.
    public var rest: Rest? {
        if case .rest(let name) = expansion.path.last {
            return Rest(name: name, segments: uri.segments(from: expansion.path.count - 1))
        }
        guard let fragment = expansion.fragment, case .rest(let name) = fragment.last else { return nil }
        return Rest(name: name, segments: uri.fragmentAddress?.segments(from: fragment.count - 1) ?? [])
    }
}

extension RouteCaptures: Hashable {
    /// Compares the names and texts of captures.
    public static func == (one: RouteCaptures, other: RouteCaptures) -> Bool {
        one.values == other.values && one.rest == other.rest && one.takesFragment == other.takesFragment
    }

    /// Hashes the names and texts of the captures.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
        hasher.combine(rest)
    }
}

extension ResourceURI {
    /// Returns a decoded segment.
    func segment(_ index: Int) -> String { withSegmentText { $0.extracting(segmentRange(index)).string } }

    /// Returns the decoded segments from an index on.
    fileprivate func segments(from index: Int) -> [String] {
        (min(index, segmentCount)..<segmentCount).map(segment)
    }
}

extension RoutePattern.Expansion {
    /// The place of a capture in the segments of a pattern.
    struct CapturePlace: Sendable {
        let name: String
        /// The index of the segment.
        let segment: Int
        /// The number of the capture in a partial segment, or nil if it is the whole segment.
        let part: Int?
    }

    /// Returns the places of the captures of segments, without the double-star wildcard.
    static func capturePlaces(in segments: [RoutePattern.Segment]) -> [CapturePlace] {
        segments.enumerated().flatMap { index, segment -> [CapturePlace] in
            switch segment {
            case .typed(let name, _), .capture(let name): [CapturePlace(name: name, segment: index, part: nil)]
            case .partial(let partial):
                partial.names.enumerated().map { CapturePlace(name: $1, segment: index, part: $0) }
            case .literal, .any, .rest: []
            }
        }
    }

    var captureCount: Int { pathCaptures.count + fragmentCaptures.count }

    /// Calls a closure with the name and the decoded text of each capture of an address that the expansion must match.
    @inline(__always)
    func forEachCapture(
        of address: ResourceURI.Components, in text: Span<UInt8>, _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        if !pathCaptures.isEmpty { Self.forEach(pathCaptures, of: path, address, text, body) }
        if !fragmentCaptures.isEmpty { forEachFragmentCapture(of: address, body) }
    }

    @inline(never)
    private func forEachFragmentCapture(
        of address: ResourceURI.Components, _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        guard let fragment, let address = address.fragmentAddress else { return }
        Self.forEach(fragmentCaptures, of: fragment, address.components, address.text.utf8.span, body)
    }

    @inline(__always)
    private static func forEach(
        _ places: [CapturePlace], of segments: [RoutePattern.Segment], _ address: ResourceURI.Components,
        _ text: Span<UInt8>, _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        address.withSegmentText(of: text) { text in
            let places = places.span
            for index in places.indices where places[index].segment < address.segmentCount {
                let segment = text.extracting(address.segmentRange(places[index].segment))
                switch places[index].part {
                case nil: body(places[index].name, segment)
                case 0: forEachPart(of: segments[places[index].segment], segment, body)
                default: break
                }
            }
        }
    }

    /// Calls a closure with all captures of a partial segment, which are found together.
    @inline(never)
    private static func forEachPart(
        of pattern: RoutePattern.Segment, _ segment: Span<UInt8>, _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        guard case .partial(let partial) = pattern else { return }
        for (name, range) in zip(partial.names, partial.captures(segment)) { body(name, segment.extracting(range)) }
    }
}
