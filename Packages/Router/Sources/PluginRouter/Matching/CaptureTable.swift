public import PluginCore

/// The captures of all expansions of many patterns, without double-star wildcards.
///
/// They are in one array, so that reading those of a match follows no references from a route to its pattern and its expansions.
@usableFromInline
struct CaptureTable: Sendable {
    /// A segment of an expansion that captures.
    @usableFromInline
    struct Place: Sendable {
        /// The name of the capture; empty for a partial segment, which knows the names of its captures.
        @usableFromInline let name: String
        /// The index of the segment.
        @usableFromInline let segment: Int32
        /// The index in `partials`, or -1 if the capture is the whole segment.
        @usableFromInline let partial: Int32
        @usableFromInline let isInFragment: Bool
    }

    @usableFromInline private(set) var places: [Place] = []
    private var partials: [PartialSegment] = []
    /// The end of the places of each expansion, after a zero.
    @usableFromInline private(set) var ends: [Int32] = [0]

    /// Lists the captures of patterns in order.
    init(_ patterns: [RoutePattern]) {
        for expansion in patterns.lazy.flatMap(\.expansions) {
            append(expansion.path, isInFragment: false)
            if let fragment = expansion.fragment { append(fragment, isInFragment: true) }
            ends.append(Int32(places.count))
        }
    }

    private mutating func append(_ segments: [RoutePattern.Segment], isInFragment: Bool) {
        for (index, segment) in segments.enumerated() {
            func place(_ name: String, partial: Int = -1) -> Place {
                Place(name: name, segment: Int32(index), partial: Int32(partial), isInFragment: isInFragment)
            }
            switch segment {
            case .typed(let name, _), .capture(let name): places.append(place(name))
            case .partial(let partial):
                places.append(place("", partial: partials.count))
                partials.append(partial)
            case .literal, .any, .rest: break
            }
        }
    }

    /// Calls a closure with the name and the decoded text of each capture of an address that an expansion must match.
    ///
    /// - Parameter expansion: The index of the expansion among those of all patterns.
    @inlinable
    @inline(__always)
    func forEach(
        of expansion: Int, from address: ResourceURI.Components, in text: Span<UInt8>,
        _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        let (start, end) = (Int(ends[expansion]), Int(ends[expansion &+ 1]))
        address.withSegmentText(of: text) { segmentText in
            let places = places.span
            for index in start..<end {
                let segment = Int(places[index].segment)
                if places[index].partial >= 0 || places[index].isInFragment {
                    forEach(in: places[index], from: address, in: text, body)
                } else if segment < address.segmentCount {
                    body(places[index].name, segmentText.extracting(address.segmentRange(segment)))
                }
            }
        }
    }

    /// Calls a closure with the captures of a partial segment or of a segment of the fragment.
    @inline(never)
    @usableFromInline
    func forEach(
        in place: Place, from address: ResourceURI.Components, in text: Span<UInt8>,
        _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        if place.isInFragment {
            guard let fragment = address.fragmentAddress else { return }
            read(place, from: fragment.components, in: fragment.text.utf8.span, body)
        } else {
            read(place, from: address, in: text, body)
        }
    }

    private func read(
        _ place: Place, from address: ResourceURI.Components, in text: Span<UInt8>,
        _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        guard place.segment < address.segmentCount else { return }
        address.withSegmentText(of: text) { text in
            let segment = text.extracting(address.segmentRange(Int(place.segment)))
            if place.partial < 0 { return body(place.name, segment) }
            let partial = partials[Int(place.partial)]
            for (name, range) in zip(partial.names, partial.captures(segment)) { body(name, segment.extracting(range)) }
        }
    }
}
