import Console
import Testing

@testable import AppHost

@MainActor
@Suite("hostapp crashes", .tags(.medium))
struct CrashesCommandTests {
    @Test("The report of a hung process is shown with the deadline that it missed")
    func hang() async throws {
        let fixture = try AppFixture()
        try fixture.assets.folder.write(
            """
            crash report 1
            time 1763936000
            process 4711
            thread 4712
            deadline request 30.0
            bundle com.example.app.shop@1.0.0
            extension com.example.app.shop.widget

            """, to: "sandbox/Containers/Bundle/CrashReports/1763936000-4711")
        let answer = try await fixture.run("crashes show")
        #expect(
            answer.text.contains(
                """
                1763936000-4711: hang in process 4711, thread 4712, at 2025-11-23T22:13:20Z
                Extension: com.example.app.shop.widget of com.example.app.shop@1.0.0
                Reason: it did not complete the request within 30.0 seconds

                """), "\(answer.text)")
        #expect(answer.text.hasSuffix("The stack is unknown: the main thread was idle or did not answer.\n"))
        #expect(answer.json.text().contains(#""deadline":{"task":"request","seconds":30.0}"#), "\(answer.json.text())")
    }

    @Test("The report of a hung process whose thread is unknown names no thread")
    func unknownThread() async throws {
        let fixture = try AppFixture()
        try fixture.assets.folder.write(
            """
            crash report 1
            time 1763936000
            process 4711
            thread 0
            deadline start 5.0
            bundle com.example.app.shop@1.0.0

            """, to: "sandbox/Containers/Bundle/CrashReports/1763936000-4711")
        let answer = try await fixture.run("crashes show")
        #expect(answer.text.hasPrefix("1763936000-4711: hang in process 4711, at 2025-11-23T22:13:20Z\n"))
        #expect(answer.json.text().contains(#""thread":null"#), "\(answer.json.text())")
    }
}
