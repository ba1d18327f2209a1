import Doctor
import Glibc
import PluginCore
import Registry
import SQLite
import Testing
@testable import CrashReports
@testable import HostSystem
@testable import PluginIsolation
@testable import PluginRuntime
@testable import Processes

@Suite("Crash reports, and crashes in processes of extensions", .tags(.medium), .timeLimit(.minutes(1)))
struct ProcessCrashesTests {
    @Test("The crashes of a version count until they are forgotten, so that a quarantine that failed is tried again")
    func forget() async throws {
        let host = TestHost()
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
            let host = TestHost(root) { services in
                services.isolation = IsolationSettings(runner: root) { _ in EndedPageTexts(content: [], restart: "") }
            }
            for version in ["1.0.0", "1.1.0"] { try host.offer(SamplePackage(version: version)) }
            try await host.manager.install(.shop, version: SemanticVersion(major: 1, minor: 0, patch: 0))
            try await host.manager.update(.shop)
            try host.database().execute("UPDATE bundle SET json = json_set(json, '$.hasRunSince', 1)")
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

    @TemporaryFolder private var root

    private static let text = """
        crash report 1
        signal 11
        time 1763936000
        process 4711
        thread 4712
        frame 1a2c4 com.example.app.shop@1.0.0
        frame 9283 /usr/lib/libc.so.6
        frame 10 program
        frame ffff -
        build 09d5fb /usr/lib/libc.so.6

        """

    @Test("A report has the owner and the address of each call")
    func parsing() throws {
        let report = try #require(RecordedCrash(named: "1763936000-4711", Self.text))
        #expect(report.signal == 11 && report.at == 1_763_936_000 && report.process == 4711 && report.thread == 4712)
        #expect(report.bundle?.description == "com.example.app.shop@1.0.0")
        let identity = try #require(report.bundle)
        #expect(report.calls.map(\.owner) == [.bundle(identity), .library("/usr/lib/libc.so.6"), .program, .unknown])
        #expect(report.calls.map(\.address) == [0x1a2c4, 0x9283, 0x10, 0xffff])
        #expect(report.builds == [.library("/usr/lib/libc.so.6"): "09d5fb"])
        // A process that was killed while it wrote leaves the complete lines.
        #expect(RecordedCrash(named: "a", String(Self.text.dropLast(62)))?.calls.count == 2)
    }

    @Test(
        "A file that is not a report is skipped",
        arguments: [
            "", "crash report 2\n", "crash report 1\n", Self.text.replacing("signal 11", with: "signal x"),
            Self.text.replacing("frame 10 program", with: "frame zz program"),
            Self.text.replacing("time", with: "tide"),
        ])
    func invalid(text: String) throws {
        #expect(try reports([("1-1", text), ("2-2", Self.text)]).all().map(\.name) == ["2-2"])
    }

    @Test("A report that is still being written is skipped, and stays when the folder is trimmed")
    func unfinished() throws {
        let names = [".9-9.new", "2-2"] + (0..<CrashReportFolder.limit).map { "3-\($0)" }
        let folder = try reports(names.map { ($0, Self.text) })
        #expect(try Set(folder.all().map(\.name)) == Set(names.dropFirst()))
        try folder.trim()
        try folder.remove { _ in true }
        #expect(try folder.all().isEmpty)
        let unfinished = Sandbox(root: root).crashReports.appending(".9-9.new")
        try unfinished.write(Self.text)
        #expect(try folder.remove { _ in true } == 0 && unfinished.exists)
    }

    @Test("Only the newest reports stay when the folder is trimmed")
    func trimming() throws {
        let count = CrashReportFolder.limit + 3
        let files = (0..<count).map { index in
            ("\(index)", Self.text.replacing("1763936000", with: "\(1_763_936_000 + index)"))
        }
        let folder = try reports(files)
        try folder.trim()
        let names = try folder.all().map(\.name)
        #expect(names == (3..<count).reversed().map { "\($0)" })
    }

    @Test("A folder of reports that is a link is neither read nor written")
    func link() throws {
        let (sandbox, elsewhere) = (Sandbox(root: root), root.appending("elsewhere"))
        try elsewhere.appending("1-1").write(Self.text)
        try sandbox.crashReports.parent.makeFolder()
        try #require(symlink(elsewhere.string, sandbox.crashReports.string) == 0)
        #expect(try CrashReportFolder(sandbox).all().isEmpty)
        try CrashReportFolder(sandbox).add(try Self.report(ofProcess: ""))
        #expect(try FileSystem.names(in: elsewhere) == ["1-1"])
    }

    private static func report(ofProcess frames: String, _ cause: CrashCause = .signal(11)) throws -> RecordedCrash {
        let version = try #require(SemanticVersion("1.0.0"))
        let shop = BundleIdentity(identifier: "com.example.app.shop", version: version)
        let money = BundleIdentity(identifier: "com.example.lib.money", version: version)
        return RecordedCrash(
            CrashDescription(signal: 9, memory: 0, thread: 8, frames: frames), cause, process: 7,
            purpose: .init(bundle: shop, extension: "com.example.app.shop.widget"),
            libraries: [(money, "libMoney.so"), (shop, "libWidget.so")], at: 1_763_936_000)
    }

    @Test("The report of a process, ended or hung, names the libraries its host has sent, and is read as written")
    func ofProcess() throws {
        let report = try Self.report(
            ofProcess:
                "frame 10 library-1\nframe 20 library-0\nframe 30 /usr/lib/libc.so.6\nframe 40 program\nframe 50 -\n"
                + "build 0a0b library-1\nbuild 0c0d com.example.app.other@1.0.0\nbuild 0e0f program\nbuild x -\n")
        let bundle = try #require(report.purpose).bundle
        #expect(report.calls.count == 5 && report.bundle == bundle && report.signal == 11)
        #expect(report.calls[0].owner == .bundle(bundle, library: "libWidget.so"))
        #expect(report.builds == [report.calls[0].owner: "0a0b", .program: "0e0f"])
        let folder = try reports()
        try folder.add(report)
        #expect(try folder.report(named: "1763936000-7") == report)
        let deadline = ProcessDeadline(.request, seconds: 2.5)
        let hang = try Self.report(ofProcess: "frame 10 library-0\n", .hang(deadline))
        #expect(hang.signal == nil && hang.deadline == deadline)
        try folder.remove { _ in true }
        try folder.add(hang)
        #expect(try folder.all() == [hang])
    }

    @Test(
        "A process cannot blame a bundle whose library it does not have",
        arguments: ["frame 10 com.example.app.other@1.0.0", "frame 10 com.example.app.other@1.0.0 libOther.so"])
    func blame(line: String) throws {
        #expect(try Self.report(ofProcess: line + "\n").calls.map(\.owner) == [.unknown])
    }

    @Test(
        "A report holds no more than the frames that a process may have, whatever the process has written",
        arguments: [
            ("", 0), ("\u{0}", 0), ("time 1\nbundle com.example.app.other@1.0.0\n", 0), ("frame\n\nframe zz -\n", 0),
            (String(repeating: "frame 1 -\n", count: 10_000), 256),
        ])
    func hostile(frames: String, count: Int) throws {
        let report = try Self.report(ofProcess: frames)
        #expect(report.calls.count == count && report.bundle?.identifier == "com.example.app.shop")
    }

    /// Writes some reports into a sandbox.
    private func reports(_ files: [(name: String, text: String)] = []) throws -> CrashReportFolder {
        let sandbox = Sandbox(root: root)
        for (name, text) in files { try sandbox.crashReports.appending(name).write(text) }
        return CrashReportFolder(sandbox)
    }
}
