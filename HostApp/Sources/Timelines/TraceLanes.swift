/// The rows of a timeline: each event with its lane and its depth there.
///
/// A lane is a chain of requests, and the work outside of all requests is the first. Events that are within others are drawn below them.
package struct TraceLanes: Sendable {
    package struct Lane: Sendable {
        package let track: Int
        package let title: String
        /// The number of rows.
        package let depth: Int
    }

    package let lanes: [Lane]
    /// The events, each with the number of its lane and its row there.
    package let places: [(event: TraceEvent, lane: Int, row: Int)]

    package init(_ trace: Trace) {
        var (lanes, places) = ([Lane](), [(event: TraceEvent, lane: Int, row: Int)]())
        let tracks = Dictionary(grouping: trace.events, by: \.track)
        for (track, events) in tracks.sorted(by: { $0.key < $1.key }) {
            // The end of the last event in each row.
            var rows: [Double] = []
            for event in events {
                let row = rows.firstIndex { $0 <= event.start } ?? rows.count
                if row == rows.count { rows.append(event.end) } else { rows[row] = event.end }
                places.append((event, lanes.count, row))
            }
            let title = track == 0 ? "host" : "request \(track)"
            lanes.append(Lane(track: track, title: title, depth: rows.count))
        }
        (self.lanes, self.places) = (lanes, places)
    }
}
