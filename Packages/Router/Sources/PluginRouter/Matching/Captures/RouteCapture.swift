/// One capture of a match: which it is, and where in the address it stands.
@frozen
public struct RouteCapture: Hashable, Sendable {
    /// Which of the names that its match's form captures it is; ``RouteMatcher/Match/name(of:)`` tells the name.
    public let number: Int
    /// Where it stands, in bytes of the address's UTF-8, as it is written there: escapes are not decoded. What `**` takes
    /// reaches from its first segment to the end of the path.
    public let range: Range<Int>
    /// How many segments it spans: one, but for `**`, which may take none.
    public let segmentCount: Int

    @inlinable
    init(number: Int, range: Range<Int>, segmentCount: Int) {
        self.number = number
        self.range = range
        self.segmentCount = segmentCount
    }
}
