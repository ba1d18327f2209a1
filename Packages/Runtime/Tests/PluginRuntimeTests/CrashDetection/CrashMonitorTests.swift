import Glibc
import PluginCore
import Testing
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Crash sentinels, and crash reports about new versions", .tags(.large))
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

    private typealias Host = DyingHost

    private static func begin(_ crashLogs: CrashLogStore, isHeld: Bool = true) throws -> CrashSentinel {
        try #require(crashLogs.begin(Host.version, .load, isHeld: isHeld))
    }

    /// Writes a sentinel as a process that has died might have left it.
    private static func leave(
        _ notes: String, _ version: String = "1.0.0", as name: String, in crashLogs: CrashLogStore
    ) throws {
        try crashLogs.folder.appending(name).write(
            "crash log 1\n\(Host.identity.identifier)\n\(version)\n\(Host.digest)\nload\n1700000000\n" + notes)
    }

    @Test("A crash sentinel names the running version and phase, and is deleted when the code has run or nobody has it")
    func content() async throws {
        let sentinel = try Self.begin(crashLogs)
        let name = try #require(try crashLogs.folder.names.first)
        #expect(name.hasPrefix("\(getpid())-") && name.hasSuffix("-load"))
        let crashLog = try #require(CrashLog(crashLogs.folder.appending(name).bytes))
        #expect(crashLog.version == Host.version && crashLog.phase == .load)
        #expect(abs(crashLog.startedAt - Clock.now()) < 60)
        sentinel.end()
        #expect(try crashLogs.folder.names == [])
        sentinel.end()
        sentinel.gaveWay()
        // Also if its owner only releases it.
        _ = try Self.begin(crashLogs)
        #expect(try crashLogs.folder.names == [])
    }

    @Test("The crash sentinel of a live process is never reported or removed, whatever was recorded in it")
    func alive() async throws {
        let (one, two) = (try Self.begin(crashLogs), try Self.begin(crashLogs))
        for name in try crashLogs.folder.names {
            let written = open(crashLogs.folder.appending(name).string, O_WRONLY | O_APPEND)
            #expect(write(written, "hang\n", 5) == 5)
            close(written)
        }
        #expect(crashLogs.reports() == [])
        crashLogs.forget(Host.version)
        #expect(try crashLogs.folder.names.count == 2)
        one.end()
        two.end()
    }

    @Test("Code runs without a crash sentinel if the sentinel cannot be written")
    func unwritable() async throws {
        let bundle = crashLogs.folder.parent
        #expect(chmod(bundle.string, 0o555) == 0)
        defer { chmod(bundle.string, 0o755) }
        await #expect(processExitsWith: .success) { [root = crashLogs.root.string as String] in
            // Root ignores file modes, so the process switches to another user.
            if geteuid() == 0 { #expect(seteuid(65534) == 0) }
            let crashLogs = CrashLogStore(Sandbox(root: FilePath(root)))
            #expect(crashLogs.begin(Host.version, .load) == nil && crashLogs.reports() == [])
            try crashLogs.process { _ in }
        }
        let nowhere = CrashLogStore(Sandbox(root: "/nonexistent/sandbox"))
        #expect(nowhere.begin(Host.version, .load) == nil && nowhere.reports() == [])
    }

    @Test("Crash sentinels in a read-only folder are still read and reported")
    func readOnly() async throws {
        try Self.leave("crash 11 here\n", as: "1-a-load", in: crashLogs)
        try Self.leave("waits\n", "2.0.0", as: "1-b-load", in: crashLogs)
        #expect(chmod(crashLogs.folder.string, 0o555) == 0)
        defer { chmod(crashLogs.folder.string, 0o755) }
        await #expect(processExitsWith: .success) { [root = crashLogs.root.string as String] in
            if geteuid() == 0 { #expect(seteuid(65534) == 0) }
            let crashLogs = CrashLogStore(Sandbox(root: FilePath(root)))
            for _ in 0..<2 { #expect(crashLogs.reports().map(\.signal) == [11]) }
        }
    }

    @Test("An unreadable crash sentinel stays, and the version it may belong to isn't loaded until it can be read")
    func unreadable() async throws {
        try Self.leave("crash 11 here\n", as: "1-a-load", in: crashLogs)
        try #require(chmod(crashLogs.folder.appending("1-a-load").string, 0) == 0)
        await #expect(processExitsWith: .success) { [root = crashLogs.root.string as String] in
            try becomeOwner(of: FilePath(root))
            let crashLogs = CrashLogStore(Sandbox(root: FilePath(root)))
            let error = try #require(throws: AtriumError.self) { try crashLogs.report(on: Host.version) }
            #expect(error.code == .sandboxUnwritable && error.subject.hasSuffix("1-a-load"), "\(error)")
            #expect(throws: AtriumError.self) { try crashLogs.process { _ in } }
            try #require(chmod(crashLogs.folder.appending("1-a-load").string, 0o644) == 0)
            #expect(try crashLogs.report(on: Host.version)?.signal == 11)
        }
    }

    @Test(
        "A malformed crash sentinel causes no trap and no report, and is deleted",
        arguments: [
            "", "\n\n\n\n\n\n\n", "crash log 1\n", "crash log 2\na.b\n1.0.0\nx\nload\n1\n", "\u{0}\u{0}",
            "crash log 1\n../../etc\n1.0.0\nx\nload\n1\ncrash 11 here\n",
            "crash log 1\ncom.example.app\nnone\nx\nload\n1\ncrash 11 here\n",
            "crash log 1\ncom.example.app\n1.0.0\nx\nlater\n1\ncrash 11 here\n",
            "crash log 1\ncom.example.app\n1.0.0\nx\nload\n99999999999999999999\ncrash 11 here\n",
            String(repeating: "x", count: 100_000),
        ])
    func garbage(text: String) async throws {
        for name in ["1-a-load", "no name", "\u{1B}[31m"] { try crashLogs.folder.appending(name).write(text) }
        #expect(crashLogs.reports() == [])
        #expect(try crashLogs.folder.names == [])
    }

    @Test("Items in the sentinel folder that are not files are left alone, and so are new temporary files")
    func noFile() async throws {
        try crashLogs.folder.appending("folder").makeFolder()
        #expect(mkfifo(crashLogs.folder.appending("pipe").string, 0o644) == 0)
        #expect(symlink("/etc/passwd", crashLogs.folder.appending("link").string) == 0)
        for name in [".1-a-load", ".1-b-load"] { try Self.leave("", as: name, in: crashLogs) }
        var times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
        #expect(utimes(crashLogs.folder.appending(".1-a-load").string, &times) == 0)
        #expect(crashLogs.reports() == [])
        #expect(try crashLogs.folder.names == [".1-b-load", "folder", "link", "pipe"])
    }

    @Test(
        "The records in a crash sentinel determine whether its version is reported, counted or cleared",
        arguments: [
            ("", .strike(.ended)), ("waits\n", .nothing), ("hang\n", .quarantine(.hung)), ("hang\nwaits\n", .nothing),
            ("hang\ncrash 6 here\n", .quarantine(.hung)), ("waits\ncrash 4 here\n", .quarantine(.crashed(signal: 4))),
            ("crash 11 elsewhere\ncrash 11 here\n", .nothing), ("crash 11 near\n", .strike(.crashed(signal: 11))),
            ("exit here\n", .quarantine(.exited)), ("exit elsewhere\n", .nothing),
            ("crash eleven here\n", .strike(.ended)),
            ("told 15\n", .nothing), ("told 15\nexit here\n", .nothing), ("told 15\nhang\n", .quarantine(.hung)),
            ("hang\ntold 15\n", .quarantine(.hung)), ("told 2\ncrash 6 here\n", .quarantine(.crashed(signal: 6))),
            ("told me\n", .strike(.ended)), ("loaded\n", .nothing), ("loaded\ncrash 4 elsewhere\n", .nothing),
            ("loaded\ncrash 4 here\n", .quarantine(.crashed(signal: 4))), ("hang near\n", .strike(.hung)),
            ("hang near\ncrash 6 here\n", .strike(.hung)), ("shortage\n", .nothing), ("shortage\nhang\n", .nothing),
            ("loaded\nhang\n", .quarantine(.hung)),
            ("crash 11 there\nhang for ever\n", .strike(.ended)), ("crash 11 he", .strike(.ended)),
        ] as [(String, CrashLog.Attribution)])
    func attribution(row: (notes: String, attribution: CrashLog.Attribution)) throws {
        let crashLog = CrashLog(Host.version, .load, startedAt: 0)
        let read = try #require(CrashLog(crashLog.bytes + Array(row.notes.utf8)))
        #expect(read.attribution == row.attribution)
    }

    @Test("A crash sentinel is counted and handled exactly once if several processes read it at the same time")
    func readers() async throws {
        try Self.leave("", as: "1-a-load", in: crashLogs)
        try Self.leave("hang\n", "2.0.0", as: "1-b-load", in: crashLogs)
        let (acted, sandbox) = (Lines(), Sandbox(root: crashLogs.root))
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    let other = CrashLogStore(sandbox)
                    for _ in 0..<50 {
                        #expect(!other.reports().contains { $0.identity == Host.identity })
                        try other.process { report in acted.add("\(report.identity.version) \(report.reason)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(acted.all == ["2.0.0 hungHost(phase: whileLoaded)"])
        #expect(try crashLogs.folder.names == ["1-a-load.counted"])
    }

    @Test("A crash sentinel stays if handling its report fails")
    func unsettled() async throws {
        try Self.leave("hang\n", as: "1-a-load", in: crashLogs)
        #expect(throws: AtriumError.self) { try crashLogs.process { _ in throw AtriumError(.storageFull, "disk") } }
        #expect(crashLogs.reports().map(\.cause) == [.hung])
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
