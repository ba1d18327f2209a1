import PluginCore
import Testing

@testable import AppHost

@Suite("Reading traces", .tags(.small))
struct TraceTests {
    static func line(_ name: String, _ start: Double, _ duration: Double, caller: String? = nil) -> String {
        let arguments = caller.map { ",\"args\":{\"from\":\"\($0)\"}" } ?? ""
        return "{\"name\":\"\(name)\",\"cat\":\"route\",\"ph\":\"X\",\"ts\":\(start),\"dur\":\(duration)"
            + ",\"pid\":1,\"tid\":1\(arguments)}"
    }

    @Test("A trace is read with and without its end, and without an incomplete last line")
    func endings() throws {
        let (one, two) = (Self.line("one", 5, 1), Self.line("two", 2, 1))
        for text in [
            "[\n\(one),\n\(two),\n", "[\(one),\(two)]", "[\n\(one),\n\(two),\n{\"name\":\"thr", "[\n\(one),\n\(two)",
        ] {
            let trace = try Trace(document: Array(text.utf8), named: "trace.json")
            #expect(trace.events.map(\.name) == ["one", "two"], "\(text)")
        }
        #expect(try Trace(document: Array("[\n".utf8), named: "trace.json").events.isEmpty)
    }

    @Test("The caller of a request is read")
    func caller() throws {
        let text = "[\(Self.line("a", 1, 1, caller: "plugin a.b"))]"
        #expect(try Trace(document: Array(text.utf8), named: "trace.json").events.first?.caller == "plugin a.b")
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
