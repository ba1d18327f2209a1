import Dispatch
import Glibc
import HostSystem
import PluginCore
import Processes
@testable import Registry
@testable import PluginRuntime
import Testing

@Suite("Hang detection", .tags(.large))
struct HangWatchTests {
    @TemporaryFolder private var root

    @Test("A hang is reported once, and only after inner code that ran within its own limit has returned")
    func nested() async throws {
        let (hangs, told) = (Lines(), DispatchSemaphore(value: 0))
        let limits = CrashMonitorLimits(load: .milliseconds(500), firstUse: .seconds(600))
        let crashLogs = try CrashLogStore(inNew: root, limits: limits) { hang in
            hangs.add("\(hang.report.identity) \(hang.report.reason)")
            told.signal()
        }
        // Everything runs on one thread, which no suspension point may release.
        @Sendable func hold() {
            let outer = crashLogs.begin(DyingHost.version, .load)
            let inner = crashLogs.begin(VersionKey(identity: DyingHost.other, digest: "b"), .firstUse)
            #expect(told.wait(timeout: .now() + .milliseconds(1_500)) == .timedOut)
            inner?.end()
            #expect(told.wait(timeout: .now() + .seconds(60)) == .success)
            #expect(told.wait(timeout: .now() + .milliseconds(1_000)) == .timedOut)
            outer?.end()
        }
        hold()
        #expect(hangs.all == ["com.example.app.shop@1.0.0 hungHost(phase: whileLoaded)"])
        #expect(try crashLogs.folder.names == [])
    }

    @Test("A hang report lists the calls on the thread's stack, innermost first")
    func stack() async throws {
        let (lines, told) = (Lines(), DispatchSemaphore(value: 0))
        let crashLogs = try CrashLogStore(inNew: root, limits: CrashMonitorLimits(load: .milliseconds(50))) { hang in
            for line in hang.stack.lines { lines.add(line) }
            lines.add("\(hang.outcome)")
            told.signal()
        }
        @Sendable func hold() {
            let sentinel = crashLogs.begin(DyingHost.version, .load)
            told.wait()
            sentinel?.end()
        }
        hold()
        #expect(lines.all.first?.contains("libc.so") == true, "\(lines.all)")
        let program = FilePath(try #require(CommandLine.arguments.first)).lastComponent
        #expect(lines.all.contains { $0.hasPrefix("\(program)+0x") }, "\(lines.all)")
        // None of the version's own code is on the stack.
        #expect(lines.all.last == "strike")
    }

    @Test("The main thread's stack is that of the thread that runs the main actor, which need not be the initial one")
    @MainActor
    func mainThread() async throws {
        let (lines, found) = (Lines(), DispatchSemaphore(value: 0))
        // Blocks SIGPROF at first, so that the initial thread would answer before this one if it were asked, too.
        @Sendable func hold() {
            var question = sigset_t()
            sigemptyset(&question)
            sigaddset(&question, SIGPROF)
            pthread_sigmask(SIG_BLOCK, &question, nil)
            usleep(1_000)
            pthread_sigmask(SIG_UNBLOCK, &question, nil)
            found.wait()
        }
        try DetachedThread.run {
            for line in ThreadStack(ofThread: 0).lines { lines.add(line) }
            found.signal()
        }
        hold()
        #expect(lines.all.contains { $0.hasSuffix("swift_job_run") }, "\(lines.all)")
    }

    @Test("Code that has released its thread isn't reported as a hang")
    func gaveWay() async throws {
        let told = DispatchSemaphore(value: 0)
        let limits = CrashMonitorLimits(load: .milliseconds(500), firstUse: .milliseconds(500))
        let crashLogs = try CrashLogStore(inNew: root, limits: limits) { _ in told.signal() }
        @Sendable func hold() {
            let waiting = crashLogs.begin(DyingHost.version, .load)
            waiting?.gaveWay()
            let unheld = crashLogs.begin(DyingHost.version, .load, isHeld: false)
            #expect(told.wait(timeout: .now() + .milliseconds(1_500)) == .timedOut)
            for sentinel in [waiting, unheld] { sentinel?.end() }
        }
        hold()
    }
}
