public import PluginCore

/// The places of the captures of all expansions of many patterns.
///
/// They are in one array, so that reading those of a match follows no references from a route to its pattern and its expansions.
@usableFromInline
struct CaptureTable: Sendable {
    @usableFromInline private(set) var places: [CapturePlace] = []
    /// The end of the places of each expansion, after a zero.
    @usableFromInline private(set) var ends: [Int32] = [0]

    /// Lists the captures of patterns in order.
    init(_ patterns: [RoutePattern]) {
        ends.reserveCapacity(patterns.count + 1)
        places.reserveCapacity(patterns.count)
        // A loop over an array would retain all parts of each pattern.
        let patterns = patterns.span
        for index in patterns.indices {
            let expansions = patterns[index].expansions.span
            for index in expansions.indices {
                places += expansions[index].captures
                ends.append(Int32(places.count))
            }
        }
    }

    /// Calls a closure with the name and the decoded text of each capture of an address.
    ///
    /// - Parameters:
    ///   - index: The index of the expansion among those of all patterns.
    ///   - expansion: The expansion, which must match the address.
    ///   - address: The parts of the address.
    ///   - text: The address in UTF-8.
    @inlinable
    @inline(__always)
    func forEach(
        of index: Int, _ expansion: @autoclosure () -> RoutePattern.Expansion, from address: ResourceURI.Components,
        in text: Span<UInt8>, _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        let (start, end) = (Int(ends[index]), Int(ends[index &+ 1]))
        address.withSegmentText(of: text) { segmentText in
            let places = places.span
            for index in start..<end {
                let segment = Int(places[index].segment)
                if !places[index].isPathSegment {
                    places[index].forEach(of: expansion(), from: address, in: text, body)
                } else if segment < address.segmentCount {
                    body(places[index].name, segmentText.extracting(address.segmentRange(segment)))
                }
            }
        }
    }
}
