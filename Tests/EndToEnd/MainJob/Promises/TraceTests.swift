import Foundation
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Traces", .tags(.large))
    struct TraceTests {
        private struct Event: Decodable {
            let name: String
            let cat: String
            let ph: String
            let ts: Double
            let dur: Double
            let tid: Int
            var end: Double { ts + dur }
        }

        @Test("A trace has commands, chosen versions, loads, routes and actions, each within its cause")
        func content() async throws {
            let fixture = try Scene()
            let folder = try ThrowawayFolder()
            try await fixture.run(
                "open", "app://shop/item/42", "--tap", "buy", "--trace", folder.appending("trace.json").string)
            // The format allows an array without its end, so that a trace is complete up to a crash.
            let text = String(decoding: try folder.bytes(of: "trace.json"), as: UTF8.self)
            #expect(text.hasSuffix("},\n"))
            let events = try JSONDecoder().decode([Event].self, from: Data((text.dropLast(2) + "]").utf8))
            #expect(events.allSatisfy { $0.ph == "X" && $0.ts >= 0 && $0.dur >= 0 })
            func event(_ category: String, _ name: String) throws -> Event {
                try #require(events.last { $0.cat == category && $0.name == name }, "\(events)")
            }
            let command = try event("command", "open")
            let route = try event("route", "app://shop/item/42")
            let resolve = try event("resolve", shop)
            let install = try event("install", shop)
            let load = try event("load", "\(shop)@1.1.0")
            #expect(events.contains { $0.cat == "action" }, "\(events)")
            for (cause, part) in [(command, route), (route, install), (install, resolve), (route, load)] {
                #expect(cause.ts <= part.ts && part.end <= cause.end, "\(part) is outside of \(cause)")
            }
        }

        @Test("A trace file that cannot be written is an error, and nothing runs")
        func unwritable() async throws {
            let fixture = try Scene()
            let result = try await fixture.host.hostapp.run("list", "--trace", "/nowhere/trace.json")
            #expect(result.status == 74 && result.stderr.contains("/nowhere/trace.json"), "\(result)")
        }
    }
}
