public import PluginCore

/// A segment of a pattern that captures, other than a double-star wildcard.
@usableFromInline
struct CapturePlace: Sendable {
    /// The name of the capture; empty for a partial segment, which knows the names of its captures.
    @usableFromInline let name: String
    /// The index of the segment.
    @usableFromInline let segment: Int32
    /// A Boolean value that indicates whether the capture is a whole segment of the path, as nearly all are.
    @usableFromInline let isPathSegment: Bool
    private let isInFragment: Bool

    /// Returns the places in the segments of a path or a fragment.
    static func places(in segments: [RoutePattern.Segment], isInFragment: Bool) -> [CapturePlace] {
        segments.enumerated().compactMap { index, segment in
            switch segment {
            case .typed(let name, _), .capture(let name):
                CapturePlace(
                    name: name, segment: Int32(index), isPathSegment: !isInFragment, isInFragment: isInFragment)
            case .partial:
                CapturePlace(name: "", segment: Int32(index), isPathSegment: false, isInFragment: isInFragment)
            case .literal, .any, .rest: nil
            }
        }
    }

    /// Calls a closure with the captures of a partial segment or of a segment of the fragment.
    @inline(never)
    @usableFromInline
    func forEach(
        of expansion: RoutePattern.Expansion, from address: ResourceURI.Components, in text: Span<UInt8>,
        _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        if !isInFragment {
            forEach(of: expansion.path, from: address, in: text, body)
        } else if let fragment = expansion.fragment, let address = address.fragmentAddress {
            forEach(of: fragment, from: address.components, in: address.text.utf8.span, body)
        }
    }

    private func forEach(
        of segments: [RoutePattern.Segment], from address: ResourceURI.Components, in text: Span<UInt8>,
        _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        let index = Int(segment)
        guard index < address.segmentCount else { return }
        address.withSegmentText(of: text) { text in
            let text = text.extracting(address.segmentRange(index))
            guard case .partial(let partial) = segments[index] else { return body(name, text) }
            for (name, range) in zip(partial.names, partial.captures(text)) { body(name, text.extracting(range)) }
        }
    }
}
