@testable import CrashReports
import Glibc
@testable import HostSystem
import PluginCore
import Registry
import Testing

@Suite("Crash reports", .tags(.medium))
struct CrashReportFolderTests {
    private static let text = """
        crash report 1
        signal 11
        time 1763936000
        process 4711
        thread 4712
        code com.example.app.shop@1.0.0

        *** Signal 11: Backtracing... done ***

        0 \u{1B}[96mexplode()\u{1B}[39m + 4 in libShop.so
        Reading\rRead

        """

    @Test("A report has the bundle whose code has crashed, and the lines of the stack as a terminal would show them")
    func parsing() throws {
        let report = try #require(RecordedCrash(named: "1763936000-4711", Self.text))
        #expect(report.signal == 11 && report.at == 1_763_936_000 && report.process == 4711 && report.thread == 4712)
        #expect(report.bundle?.description == "com.example.app.shop@1.0.0")
        #expect(
            report.stack == [
                "*** Signal 11: Backtracing... done ***", "", "0 explode() + 4 in libShop.so", "Read",
            ])
    }

    @Test("A report whose process was killed while it wrote has the complete lines")
    func partial() throws {
        let facts = try #require(Self.text.firstRange(of: "@1.0.0\n")).lowerBound
        let report = try #require(RecordedCrash(named: "a", String(Self.text[..<facts])))
        #expect(report.signal == 11 && report.thread == 4712 && report.bundle == nil && report.stack.isEmpty)
        #expect(RecordedCrash(named: "a", String(Self.text.dropLast(30)))?.stack.count == 3)
    }

    @Test(
        "A file that is not a report is skipped",
        arguments: [
            "", "crash report 2\n", "crash report 1\n", Self.text.replacing("signal 11", with: "signal x"),
            Self.text.replacing("time", with: "tide"),
        ])
    func invalid(text: String) throws {
        try withReports([("1-1", text), ("2-2", Self.text)]) { folder in
            let names = try folder.all().map(\.name)
            #expect(names == ["2-2"])
        }
    }

    @Test("A report that is still being written is skipped, and stays when the folder is trimmed")
    func unfinished() throws {
        let names = [".9-9.new", "2-2"] + (0..<CrashReportFolder.limit).map { "3-\($0)" }
        try withReports(names.map { ($0, Self.text) }) { folder in
            let found = Set(try folder.all().map(\.name))
            #expect(found == Set(names.dropFirst()))
            try folder.trim()
            try folder.remove { _ in true }
            #expect(try folder.all().isEmpty)
        }
        try withFolderNow { root in
            let sandbox = Sandbox(root: root)
            let unfinished = sandbox.crashReports.appending(".9-9.new")
            try unfinished.write(Self.text)
            #expect(try CrashReportFolder(sandbox).remove { _ in true } == 0 && unfinished.exists)
        }
    }

    @Test("Only the newest reports stay when the folder is trimmed")
    func trimming() throws {
        let count = CrashReportFolder.limit + 3
        let files = (0..<count).map { index in
            ("\(index)", Self.text.replacing("1763936000", with: "\(1_763_936_000 + index)"))
        }
        try withReports(files) { folder in
            try folder.trim()
            let names = try folder.all().map(\.name)
            #expect(names == (3..<count).reversed().map { "\($0)" })
        }
    }

    @Test("A folder of reports that is a link is neither read nor written")
    func link() throws {
        try withFolderNow { root in
            let (sandbox, elsewhere) = (Sandbox(root: root), root.appending("elsewhere"))
            try elsewhere.appending("1-1").write(Self.text)
            try sandbox.crashReports.parent.makeFolder()
            try #require(symlink(elsewhere.string, sandbox.crashReports.string) == 0)
            #expect(try CrashReportFolder(sandbox).all().isEmpty)
            try CrashReportFolder(sandbox).add(try Self.report())
            #expect(try FileSystem.names(in: elsewhere) == ["1-1"])
        }
    }

    private static func report(ofProcess cause: CrashCause = .signal(11)) throws -> RecordedCrash {
        let version = try #require(SemanticVersion("1.0.0"))
        let shop = BundleIdentity(identifier: "com.example.app.shop", version: version)
        return RecordedCrash(
            CrashDescription(signal: 9, memory: 0, thread: 8), cause, process: 7,
            purpose: .init(bundle: shop, extension: "com.example.app.shop.widget"), at: 1_763_936_000)
    }

    @Test("The report of a process names the version for which it was started, and is read as it was written")
    func ofProcess() throws {
        let report = try Self.report()
        #expect(report.bundle?.identifier == "com.example.app.shop" && report.signal == 11 && report.thread == 8)
        try withReports([]) { folder in
            try folder.add(report)
            #expect(try folder.report(named: "1763936000-7") == report)
        }
    }

    @Test("The report of a hung process is read with the deadline that it missed")
    func hang() throws {
        let deadline = ProcessDeadline(.request, seconds: 2.5)
        let report = try Self.report(ofProcess: .hang(deadline))
        #expect(report.signal == nil && report.deadline == deadline)
        try withReports([]) { folder in
            try folder.add(report)
            #expect(try folder.all() == [report])
        }
    }

    /// Calls a closure with a sandbox that has some reports.
    private func withReports(_ files: [(name: String, text: String)], _ body: (CrashReportFolder) throws -> Void) throws
    {
        try withFolderNow { root in
            let sandbox = Sandbox(root: root)
            for (name, text) in files { try sandbox.crashReports.appending(name).write(text) }
            try body(CrashReportFolder(sandbox))
        }
    }
}
