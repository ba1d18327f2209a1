/// The total times of a trace by category, and its longest intervals.
package struct TraceSummary: Sendable {
    /// The intervals of one category.
    package struct Category: Sendable {
        package let name: String
        package let count: Int
        /// The time in which at least one interval of the category was under way, in microseconds.
        package let busy: Double
        /// The longest interval, in microseconds.
        package let longest: Double
    }

    /// The categories, that with the most time first.
    package let categories: [Category]
    /// The longest intervals, longest first.
    package let longest: [TraceEvent]
    /// The time from the first beginning to the last end, in microseconds.
    package let total: Double

    package init(_ trace: Trace, longest limit: Int = 20) {
        let events = trace.events
        total = (events.map(\.end).max() ?? 0) - (events.map(\.start).min() ?? 0)
        longest = Array(events.sorted { ($1.duration, $0.start) < ($0.duration, $1.start) }.prefix(limit))
        categories = Dictionary(grouping: events, by: \.category).map { name, events in
            Category(
                name: name, count: events.count, busy: Self.union(of: events),
                longest: events.map(\.duration).max() ?? 0)
        }.sorted { ($1.busy, $0.name) < ($0.busy, $1.name) }
    }

    /// Returns the time that intervals cover together; nested and overlapping ones count once.
    private static func union(of events: [TraceEvent]) -> Double {
        var (covered, end) = (0.0, -1.0)
        for event in events {
            covered += max(0, event.end - max(end, event.start))
            end = max(end, event.end)
        }
        return covered
    }
}
