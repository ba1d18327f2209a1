/// What an address came to: a route, and where its captures are.
///
/// Plain numbers, few enough to be handed on in registers. They mean something to the ``RouteIndex`` that made them alone,
/// and together with the same text.
@usableFromInline
struct RouteHit: Sendable {
    /// The number of the route; below zero when there is none.
    @usableFromInline let entry: Int32
    /// The form that matched.
    let leaf: Int32
    /// A bit for each byte where a capture starts, when ``hasSimpleCaptures``.
    @usableFromInline let captureStarts: UInt64
    /// A bit for each byte where a segment ends, when ``hasSimpleCaptures``; else none.
    @usableFromInline let segmentEnds: UInt64

    @inline(__always)
    init(entry: Int32, leaf: Int32, captureStarts: UInt64 = 0, segmentEnds: UInt64 = 0) {
        self.entry = entry
        self.leaf = leaf
        self.captureStarts = captureStarts
        self.segmentEnds = segmentEnds
    }

    /// No route.
    static var none: RouteHit { RouteHit(entry: -1, leaf: RouteTrie.none) }
    /// Not an address.
    static var malformed: RouteHit { RouteHit(entry: -2, leaf: RouteTrie.none) }

    @inlinable var isMalformed: Bool { entry == -2 }

    /// The number of the route, or `nil` when there is none.
    @inlinable var route: Int? { entry < 0 ? nil : Int(entry) }

    /// Whether each capture is a segment as it is, and ends in the first 64 bytes; other captures are found from the text.
    @inlinable var hasSimpleCaptures: Bool { segmentEnds != 0 }
}
