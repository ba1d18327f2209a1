import Console
import WebPages

/// A trace as one self-contained web page: a timeline to zoom, the times by category and the longest intervals.
package struct TimelinePage {
    private let trace: Trace
    private let name: String

    /// - Parameter name: the name of the file.
    package init(_ trace: Trace, named name: String) {
        self.trace = trace
        self.name = name
    }

    /// The page as HTML.
    package var html: String {
        let summary = TraceSummary(trace)
        let count = trace.events.count
        let body = """
            <header><h1>\(MarkupText.escaped(name))</h1><span class="muted">\(count) interval\(count == 1 ? "" : "s") in \
            \(Self.time(summary.total))</span><input type="search" id="search" placeholder="Search ( / )" aria-label="Search" \
            autocomplete="off" spellcheck="false"><span id="count" class="muted" role="status"></span><button id="whole">Show all</button></header>
            <main>
            <div id="chart"><canvas id="timeline" tabindex="0" role="img" aria-label="Timeline; the tables below have the same intervals"></canvas></div>
            <div id="detail" aria-live="polite"><p class="muted">Point at an interval, or click it. Zoom with the wheel, move by dragging.</p></div>
            <h2>Time by category</h2>
            <table id="categories"><thead><tr><th>category</th><th class="number">intervals</th><th class="number">time</th>\
            <th class="number">longest</th></tr></thead><tbody>\(summary.categories.map(Self.row).joined())</tbody></table>
            <h2>The longest</h2>
            <table id="longest"><thead><tr><th>interval</th><th>category</th><th>for</th><th class="number">begins</th>\
            <th class="number">time</th></tr></thead><tbody></tbody></table>
            </main>
            <div id="tip" hidden></div>
            """
        return WebPage(
            title: "Timeline of \(name)", styles: [PageStyle.base, TimelineStyle.page], script: TimelineScript.script,
            data: data, body: body
        ).html
    }

    private static func row(_ category: TraceSummary.Category) -> String {
        """
        <tr data-category="\(MarkupText.escaped(category.name))"><td><span class="swatch"></span>\
        \(MarkupText.escaped(category.name))</td><td class="number">\(category.count)</td>\
        <td class="number">\(time(category.busy))</td><td class="number">\(time(category.longest))</td></tr>
        """
    }

    /// Returns a time in microseconds with a unit that suits it.
    private static func time(_ microseconds: Double) -> String {
        func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
        return microseconds < 1_000
            ? "\(rounded(microseconds)) µs"
            : microseconds < 1_000_000
                ? "\(rounded(microseconds / 1_000)) ms" : "\(rounded(microseconds / 1_000_000)) s"
    }

    private var data: JSONText {
        let lanes = TraceLanes(trace)
        return [
            "lanes": .array(lanes.lanes.map { ["title": .string($0.title), "depth": .integer($0.depth)] }),
            "events": .array(
                lanes.places.map { place in
                    let event = place.event
                    return [
                        "name": .string(printable(event.name)), "category": .string(printable(event.category)),
                        "start": .number(event.start), "duration": .number(event.duration),
                        "caller": .string(orNull: event.caller.map { printable($0) }),
                        "lane": .integer(place.lane), "row": .integer(place.row),
                    ]
                }),
        ]
    }
}
