import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

@Suite("Crash reports about new versions", .tags(.large))
struct CrashMonitorTests {
    private let temporary = TemporaryFolder()
    private let crashLogs: CrashLogStore

    init() throws { crashLogs = try CrashLogStore(inNew: temporary.path) }

    typealias Cause = CrashReport.Cause

    @Test(
        "A version that crashes, hangs or exits while it is loaded is reported at once",
        arguments: [
            (.segmentationFault, .crashed(signal: 11)), (.busError, .crashed(signal: 7)),
            (.illegalInstruction, .crashed(signal: 4)), (.division, .crashed(signal: 8)),
            (.abortion, .crashed(signal: 6)), (.breakpoint, .crashed(signal: 5)),
            (.signaled, .crashed(signal: 31)), (.overflow, .crashed(signal: 11)),
            (.threadOfPlugin, .crashed(signal: 11)), (.exit, .exited), (.loop, .hung),
        ] as [(DyingHost, Cause)])
    func recordedCrash(row: (host: DyingHost, cause: Cause)) async throws {
        try await crashLogs.dies(of: row.host)
        let reports = crashLogs.reports()
        #expect(reports.map(\.cause) == [row.cause] && reports.map(\.identity) == [DyingHost.identity])
        #expect(reports.map(\.phase) == [.load])
        #expect(crashLogs.reports() == reports)
        for report in reports { crashLogs.forget(report.version) }
        #expect(crashLogs.reports() == [])
        #expect(try crashLogs.folder.names == [])
    }

    @Test(
        "A version is reported at the second unexplained end of the host",
        arguments: [
            (.killed, .ended), (.toldItself, .ended), (.rawExit, .ended), (.crashInFork, .ended),
            (.crashUnheld, .crashed(signal: 6)),
        ] as [(DyingHost, Cause)])
    func struck(row: (host: DyingHost, cause: Cause)) async throws {
        try await crashLogs.dies(of: row.host)
        for _ in 0..<2 { #expect(crashLogs.reports() == []) }
        try await crashLogs.dies(of: row.host)
        #expect(crashLogs.reports().map(\.cause) == [row.cause])
    }

    @Test("Several unexplained ends at the same time count once, and the count persists")
    func together() async throws {
        for _ in 0..<3 { try await crashLogs.dies(of: .killed) }
        #expect(crashLogs.reports(sweeping: false) == [])
        #expect(try crashLogs.folder.names.count == 3)
        for _ in 0..<2 {
            #expect(crashLogs.reports() == [])
            #expect(try crashLogs.folder.names.count == 1)
        }
        for _ in 0..<2 { try await crashLogs.dies(of: .killed) }
        for isSweeping in [false, true, true] {
            #expect(crashLogs.reports(sweeping: isSweeping).map(\.cause) == [.ended])
        }
    }

    @Test("A successful run in between resets the count of unexplained ends")
    func proved() async throws {
        try await crashLogs.dies(of: .killed)
        crashLogs.clearStrikes(VersionKey(identity: DyingHost.other, digest: DyingHost.digest))
        #expect(try crashLogs.folder.names.count == 1)
        crashLogs.clearStrikes(DyingHost.version)
        try await crashLogs.dies(of: .killed)
        #expect(crashLogs.reports() == [])
    }

    @Test(
        "A version isn't reported for an end of the host that it didn't cause",
        arguments: [
            .killedOutside, .killedWaiting, .crashWaiting, .crashOutside, .crashElsewhere, .exitElsewhere,
            .told,
        ] as [DyingHost])
    func innocent(host: DyingHost) async throws {
        for _ in 0..<3 {
            try await crashLogs.dies(of: host)
            #expect(crashLogs.reports() == [])
        }
        #expect(try crashLogs.folder.names == [])
    }

    @Test("A crash is attributed to the inner code, not to the code that waits for it")
    func inner() async throws {
        for _ in 0..<2 { try await crashLogs.dies(of: .crashInner) }
        #expect(crashLogs.reports().map(\.identity) == [DyingHost.other])
    }
}

extension CrashLogStore {
    /// Creates a store in the sandbox of an empty folder.
    convenience init(
        inNew root: FilePath, limits: CrashMonitorLimits = CrashMonitorLimits(),
        onHang: @escaping @Sendable (HangReport) -> Void = { _ in }
    ) throws {
        try root.appending("Containers/Bundle").makeFolder()
        self.init(Sandbox(root: root), limits: limits, onHang: onHang)
    }

    /// The root folder of the sandbox.
    var root: FilePath { folder.parent.parent.parent }

    /// Runs another process of the same sandbox until it dies in the given way.
    func dies(of host: DyingHost) async throws {
        let library = root.appending("libDying.so")
        if !library.exists { try library.write(await DyingHost.library.value) }
        await #expect(processExitsWith: host.condition) {
            [root = root.string as String, library = library.string as String, host = host as DyingHost] in
            host.run(in: root, opening: library)
        }
    }
}
