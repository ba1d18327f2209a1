import SQLite
import Registry
import HostSystem
import PluginCore
@testable import PluginIsolation
@testable import PluginRuntime
import Testing

@Suite("Crashes in processes of extensions", .tags(.medium), .timeLimit(.minutes(1)))
struct ProcessCrashesTests {
    @Test("The crashes of a version count until they are forgotten, so that a quarantine that failed is tried again")
    func forget() async throws {
        let host = try TestHost()
        try await host.install(SamplePackage(version: "1.0.0"))
        let bundle = try host.bundle()
        let crashes = ProcessCrashes(host.sandbox) { Issue.record($0) }
        let isOver = try (0..<4).map { try crashes.add(bundle, at: 1_000 + $0) }
        #expect(isOver == [false, false, true, true])
        try crashes.forget(bundle)
        #expect(try !crashes.add(bundle, at: 1_010))
    }

    /// Reports of hosts by their age in seconds and the calls on the stack, and the version that is active after the next starts.
    private static let ends: [(reports: [(age: Int64, call: String)], active: String)] = [
        ([(0, "program"), (1, "program"), (2, "-")], "1.0.0"), ([(0, "program"), (1, "program")], "1.1.0"),
        ([(0, "program"), (1, "program"), (400, "program")], "1.1.0"),
        ([(0, "program"), (1, "program"), (2, "com.example.app.other@1.0.0")], "1.1.0"),
    ]

    @Test(
        "Three ends of hosts in five minutes while they handled messages of a process quarantine its version, each counted once",
        arguments: ends.indices)
    func endsOfHosts(index: Int) async throws {
        try await withFolder { root in
            let host = try TestHost(root) { services in
                services.isolation = IsolationSettings(runner: root) { _ in EndedPageTexts(content: [], restart: "") }
            }
            for version in ["1.0.0", "1.1.0"] { try host.offer(SamplePackage(version: version)) }
            try await host.manager.install(.shop, version: SemanticVersion(major: 1, minor: 0, patch: 0))
            try await host.manager.update(.shop)
            try host.database().execute("UPDATE bundle SET has_run_since = 1")
            for (number, report) in Self.ends[index].reports.enumerated() {
                let time = Clock.now() - report.age
                try host.sandbox.crashReports.appending("\(time)-\(number + 10)").write(
                    """
                    crash report 1
                    signal 11
                    time \(time)
                    process \(number + 10)
                    thread 1
                    sender com.example.app.shop@1.1.0
                    frame 10 \(report.call)

                    """)
            }
            for _ in 0..<3 {
                try await host.manager.prepareForLaunch()
                #expect(try host.versions()[0] == Self.ends[index].active)
            }
            guard Self.ends[index].active == "1.0.0" else { return }
            let reasons = try host.registry.quarantine.all().map { "\($0.reason)" }
            #expect(reasons.count == 1 && reasons[0].contains("hostEndedByMessage"), "\(reasons)")
            // The reports are still there.
            try await host.quarantine.unblock(.shop)
            try await host.manager.update(.shop)
            try await host.manager.prepareForLaunch()
            #expect(try host.versions()[0] == "1.1.0")
        }
    }
}
