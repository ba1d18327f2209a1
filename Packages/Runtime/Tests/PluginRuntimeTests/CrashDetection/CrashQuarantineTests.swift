import Glibc
import PluginCore
import PluginRouter
@testable import Registry
@testable import PluginRuntime
import Testing

@Suite("Crash detection of a bundle manager", .tags(.large))
struct CrashQuarantineTests {
    /// A way in which the bundle's code ends the process, and when.
    enum Deed: String, CaseIterable, Codable {
        case crashAtStart, crashAfterWaiting, loopAtStart, crashAsked, crashInUse, loopInUse, killedWaiting
        /// A crash in a task that the code started while it was called.
        case crashAfterUse

        var condition: ExitTest.Condition {
            switch self {
            case .crashAtStart, .crashAfterWaiting, .crashAsked, .crashInUse, .crashAfterUse: .signal(SIGILL)
            case .loopAtStart, .loopInUse: .exitCode(70)
            case .killedWaiting: .signal(SIGKILL)
            }
        }

        var expectedCrash: (cause: CrashReport.Cause, phase: ExecutionPhase)? {
            switch self {
            case .crashAtStart, .crashAfterWaiting: (.crashed(signal: SIGILL), .load)
            case .crashAsked, .crashInUse: (.crashed(signal: SIGILL), .firstUse)
            case .crashAfterUse: (.crashed(signal: SIGILL), .running)
            case .loopAtStart: (.hung, .load)
            case .loopInUse: (.hung, .firstUse)
            case .killedWaiting: nil
            }
        }

        /// Returns the limit of a phase, which is short only for code that never returns, because a busy machine may stop other code for
        /// a while.
        func limit(of phase: ExecutionPhase) -> Duration {
            expectedCrash?.cause == .hung && expectedCrash?.phase == phase ? .seconds(2) : .seconds(600)
        }
    }

    private static let library = Task {
        try await PluginRuntimeTests.library(
            ofSwift: """
                import Glibc

                func does(_ deed: String) -> Bool { getenv("ATRIUM_TEST_DEATH").map { String(cString: $0) } == deed }
                @inline(never) func crash() { if does("no") { return }; fatalError() }
                @inline(never) func loop() { while !does("no") {} }

                final class Sample: BundleDelegate {
                    init(context: BundleContext) async throws {
                        if does("crashAtStart") { crash() }
                        if does("loopAtStart") { loop() }
                        if does("crashAfterWaiting") {
                            try await Task.sleep(nanoseconds: 50_000_000)
                            crash()
                        }
                    }

                    static var routes: some RouteSet<Sample> {
                        Route(HandlerRoute<NoValue, Int>("shop")) { _ in 1 }
                            .accepting { _, _ in
                                if does("crashAsked") { crash() }
                                return true
                            }
                    }

                    static var targets: some TargetSet<Sample> {
                        Action(ActionContract<NoValue, Int>("act", on: "Shop")) { _ in
                            if does("crashInUse") { crash() }
                            if does("loopInUse") { loop() }
                            if does("crashAfterUse") {
                                Task.detached {
                                    try await Task.sleep(nanoseconds: 50_000_000)
                                    crash()
                                }
                            }
                            if does("killedWaiting") {
                                try await Task.sleep(nanoseconds: 50_000_000)
                                kill(getpid(), SIGKILL)
                            }
                            return 1
                        }
                    }
                }
                """)
    }

    /// Starts and uses the bundle, as a host does with a new version.
    @MainActor
    private static func use(
        in root: FilePath, deed: Deed? = nil, hasRunBefore: Bool = false, settling: Duration = .zero
    ) async throws {
        let limits = CrashMonitorLimits(
            load: deed?.limit(of: .load) ?? .seconds(600), firstUse: deed?.limit(of: .firstUse) ?? .seconds(600),
            settling: settling)
        let successfulRuns = Lines()
        let host = TestHost(
            root,
            monitor: { sandbox in
                CrashMonitor(
                    crashLogs: CrashLogStore(sandbox, limits: limits) { _ in _exit(70) },
                    onSuccessfulRun: { successfulRuns.add($0.identity.description) })
            })
        if hasRunBefore { try host.manager.registry.recordSuccessfulRun(host.bundle()) }
        let (router, mediator) = (host.router, host.mediator)
        _ = try await host.manager.principal(of: .shop)
        _ = await router.canOpen(try ResourceURI("app://shop"))
        #expect(successfulRuns.all == [])
        _ = try await mediator.perform("act", on: "Shop")
        _ = try await mediator.perform("act", on: "Shop")
        #expect(successfulRuns.all == (hasRunBefore || settling > .zero ? [] : ["com.example.app.shop@1.0.0"]))
        // The code's background task keeps running until it ends the process.
        if settling > .zero { try await Task.sleep(for: settling) }
    }

    private let host: TestHost

    init() async throws {
        host = TestHost()
        let routes = [#"{"pattern": "shop", "handler": "shop", "mayDecline": true}"#]
        try await host.install(SamplePackage(routes: routes, targets: ["Shop"], library: await Self.library.value))
    }

    /// Returns a host that has loaded the bundle, and the versions that have run successfully.
    private func load(settling: Duration) async throws -> (TestHost, Lines) {
        let successfulRuns = Lines()
        let crashLogs = CrashLogStore(host.sandbox, limits: CrashMonitorLimits(settling: settling))
        let monitor = CrashMonitor(crashLogs: crashLogs) { successfulRuns.add($0.identity.description) }
        let host = TestHost(host.root, monitor: { _ in monitor })
        _ = try await host.manager.principal(of: .shop)
        return (host, successfulRuns)
    }

    @Test("A version's first successful use is reported once and leaves no crash sentinel", arguments: [false, true])
    func proof(hasRunBefore: Bool) async throws {
        try await Self.use(in: host.root, hasRunBefore: hasRunBefore)
        #expect(try host.sandbox.crashLogs.names == [])
    }

    @Test(
        "A version counts as running successfully some time after its first use, or when its session ends normally",
        arguments: [Duration.milliseconds(1), .seconds(600)])
    func settling(_ settling: Duration) async throws {
        let (host, successfulRuns) = try await load(settling: settling)
        #expect(try host.sandbox.crashLogs.names.count == 1)
        _ = try await host.mediator.perform("act", on: "Shop")
        if settling > .seconds(1) {
            // The version's code may still crash in the background.
            #expect(try host.sandbox.crashLogs.names.count == 1)
            await host.manager.deactivateAll()
        }
        while successfulRuns.all.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(successfulRuns.all == ["com.example.app.shop@1.0.0"])
        await host.manager.deactivateAll()
        #expect(try host.sandbox.crashLogs.names == [])
    }

    @Test("A version doesn't count as running successfully while the main actor is blocked", .timeLimit(.minutes(1)))
    func blockedMainActor() async throws {
        let (host, successfulRuns) = try await load(settling: .milliseconds(300))
        _ = try await host.mediator.perform("act", on: "Shop")
        await MainActor.run {
            usleep(900_000)
            #expect(successfulRuns.all == [])
        }
        while successfulRuns.all.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        await host.manager.deactivateAll()
    }

    @Test("A version that was loaded but never used doesn't count as running successfully")
    func unused() async throws {
        let (host, successfulRuns) = try await load(settling: CrashMonitorLimits().settling)
        await host.manager.deactivateAll()
        #expect(try successfulRuns.all.isEmpty && host.sandbox.crashLogs.names.isEmpty)
    }

    @Test("The report of each crash of the host names its version, cause and phase", arguments: Deed.allCases)
    func deeds(deed: Deed) async throws {
        let crashLogs = CrashLogStore(host.sandbox)
        await #expect(processExitsWith: deed.condition) {
            [root = host.root.string as String, deed = deed as Deed] in
            setenv("ATRIUM_TEST_DEATH", deed.rawValue, 1)
            try await Self.use(in: FilePath(root), deed: deed, settling: deed == .crashAfterUse ? .seconds(600) : .zero)
        }
        let reports = crashLogs.reports()
        #expect(reports.map(\.cause) == [deed.expectedCrash?.cause].compactMap { $0 })
        #expect(reports.map(\.phase) == [deed.expectedCrash?.phase].compactMap { $0 })
        let digest = try host.bundle().digest
        #expect(reports.allSatisfy { $0.version.digest == digest })
    }
}
