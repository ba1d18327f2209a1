import Foundation
import PluginCore
import Testing

@testable import Timelines

@Suite("Reading traces", .tags(.small))
struct TraceTests {
    static func line(
        _ name: String, _ start: Double, _ duration: Double, category: String = "route", track: Int = 1
    ) -> String {
        "{\"name\":\"\(name)\",\"cat\":\"\(category)\",\"ph\":\"X\",\"ts\":\(start),\"dur\":\(duration),\"pid\":1,\"tid\":\(track)}"
    }

    static func trace(_ lines: String...) throws -> Trace {
        try Trace(document: Array("[\n\(lines.map { $0 + ",\n" }.joined())".utf8), named: "trace.json")
    }

    @Test(
        "A trace is read with and without its end, and without an incomplete last line, in the order of its beginnings")
    func endings() throws {
        let (one, two) = (Self.line("one", 5, 1), Self.line("two", 2, 1))
        for text in [
            "[\n\(one),\n\(two),\n", "[\(one),\(two)]", "[\n\(one),\n\(two),\n{\"name\":\"thr", "[\n\(one),\n\(two)",
        ] {
            let trace = try Trace(document: Array(text.utf8), named: "trace.json")
            #expect(trace.events.map(\.name) == (text.hasSuffix("}") ? ["one"] : ["two", "one"]), "\(text)")
        }
        #expect(try Trace(document: Array("[\n".utf8), named: "trace.json").events.isEmpty)
    }

    @Test("The caller of a request is read")
    func caller() throws {
        let text = Self.line("a", 1, 1).dropLast() + ",\"args\":{\"from\":\"plugin a.b\"}}"
        #expect(try Self.trace(String(text)).events.first?.caller == "plugin a.b")
    }

    @Test("A trace that is too large or too long is rejected")
    func bounds() {
        func reason(_ bytes: [UInt8]) -> String? {
            #expect(throws: AtriumError.self) { try Trace(document: bytes, named: "trace.json") }?.reason?.name
        }
        #expect(reason(Array(repeating: 0x5B, count: Trace.limits.size + 1)) == "fileTooLarge")
        let line = Self.line("a", 1, 1) + ",\n"
        #expect(reason(Array(("[\n" + String(repeating: line, count: Trace.limits.events + 1)).utf8)) == "traceTooLong")
    }
}

@Suite("Times of traces", .tags(.small))
struct TraceSummaryTests {
    @Test("Nested and overlapping intervals of a category count once, and the longest come first")
    func union() throws {
        let summary = TraceSummary(
            try TraceTests.trace(
                TraceTests.line("outer", 0, 10), TraceTests.line("inner", 2, 3), TraceTests.line("later", 8, 4),
                TraceTests.line("load", 20, 5, category: "load")))
        #expect(summary.categories.map(\.name) == ["route", "load"])
        #expect(summary.categories.map(\.busy) == [12, 5] && summary.categories.map(\.count) == [3, 1])
        #expect(summary.longest.map(\.name) == ["outer", "load", "later", "inner"])
        #expect(summary.total == 25)
    }

    @Test("A lane is a chain of requests, in which no two intervals of a row overlap")
    func lanes() throws {
        let lanes = TraceLanes(
            try TraceTests.trace(
                TraceTests.line("outer", 0, 10), TraceTests.line("inner", 2, 3), TraceTests.line("next", 6, 2),
                TraceTests.line("host", 0, 30, track: 0)))
        #expect(lanes.lanes.map(\.title) == ["host", "request 1"] && lanes.lanes.map(\.depth) == [1, 2])
        #expect(lanes.places.map(\.row) == [0, 0, 1, 1])
    }

    @Test("Names cannot leave their places in the page")
    func hostile() throws {
        let name = #"</script><script>\n\u202e"#
        let html = TimelinePage(try TraceTests.trace(TraceTests.line(name, 0, 1, category: "<b>")), named: "<i>").html
        #expect(html.components(separatedBy: "<script").count == 3 && !html.contains("<b>") && !html.contains("<i>"))
        #expect(!html.unicodeScalars.contains("\u{202E}"))
        #expect(html.contains("default-src 'none'"))
    }
}
