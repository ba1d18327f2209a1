import Console
import Testing

@testable import AppHost

@MainActor
@Suite("hostapp crashes", .tags(.medium))
struct CrashesCommandTests {
    /// Shows a report of a hung process without calls.
    private func show(_ lines: String) async throws -> Answer {
        let fixture = try AppFixture()
        try fixture.assets.folder.write(
            "crash report 1\ntime 1763936000\nprocess 4711\n\(lines)\nbundle com.example.app.shop@1.0.0\n",
            to: "sandbox/Containers/Bundle/CrashReports/1763936000-4711")
        return try await fixture.run("crashes show")
    }

    @Test("The report of a hung process names the deadline that it missed, and its thread if that is known")
    func hang() async throws {
        let answer = try await show("thread 4712\ndeadline request 30.0\nextension com.example.app.shop.widget")
        #expect(
            answer.text == """
                1763936000-4711: hang in process 4711, thread 4712, at 2025-11-23T22:13:20Z
                Extension: com.example.app.shop.widget of com.example.app.shop@1.0.0
                Reason: it did not complete the request within 30.0 seconds

                The stack is unknown: the main thread was idle or did not answer.

                """)
        #expect(answer.json.text().contains(#""deadline":{"task":"request","seconds":30.0}"#), "\(answer.json.text())")
        let unknown = try await show("thread 0\ndeadline start 5.0")
        #expect(unknown.text.hasPrefix("1763936000-4711: hang in process 4711, at 2025-11-23T22:13:20Z\n"))
        #expect(unknown.json.text().contains(#""thread":null"#), "\(unknown.json.text())")
    }
}
