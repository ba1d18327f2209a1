#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
@testable import PluginRuntime
import Testing

@Suite("A manager that watches over new versions")
struct ProbationManagerTests {
    /// What the bundle's code does, and when.
    enum Deed: String, CaseIterable, Codable {
        case crashAtStart, crashAfterWaiting, loopAtStart, crashAsked, crashInUse, loopInUse, killedWaiting

        var condition: ExitTest.Condition {
            switch self {
            case .crashAtStart, .crashAfterWaiting, .crashAsked, .crashInUse: .signal(SIGILL)
            case .loopAtStart, .loopInUse: .exitCode(70)
            case .killedWaiting: .signal(SIGKILL)
            }
        }

        var blame: (cause: ProbationVerdict.Cause, phase: ProbationPhase)? {
            switch self {
            case .crashAtStart, .crashAfterWaiting: (.crashed(signal: SIGILL), .load)
            case .crashAsked, .crashInUse: (.crashed(signal: SIGILL), .firstUse)
            case .loopAtStart: (.hung, .load)
            case .loopInUse: (.hung, .firstUse)
            case .killedWaiting: nil
            }
        }
    }

    private static let library = Task {
        try await PluginRuntimeTests.library(
            ofSwift: """
                import Glibc
                import PluginCore

                func does(_ deed: String) -> Bool { getenv("ATRIUM_TEST_DEATH").map { String(cString: $0) } == deed }
                @inline(never) func crash() { if does("no") { return }; fatalError() }
                @inline(never) func loop() { while !does("no") {} }

                final class Sample: BundleDelegate {
                    init() {}
                    func bundleDidLoad(_ context: BundleContext) async throws {
                        if does("crashAtStart") { crash() }
                        if does("loopAtStart") { loop() }
                        if does("crashAfterWaiting") {
                            try await Task.sleep(nanoseconds: 50_000_000)
                            crash()
                        }
                    }
                    func target(named name: String) -> ActionTarget? {
                        if does("crashAsked") { crash() }
                        return ActionTarget(name, actions: [
                            Action("act") { parameters in
                                if does("crashInUse") { crash() }
                                if does("loopInUse") { loop() }
                                if does("killedWaiting") {
                                    try await Task.sleep(nanoseconds: 50_000_000)
                                    kill(getpid(), SIGKILL)
                                }
                                return 1
                            }
                        ])
                    }
                }

                @c(plugin_entry_v1)
                public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Sample.self) }
                """)
    }

    /// Starts the bundle and uses it, as a host does that is new.
    @MainActor
    private static func use(
        in root: FilePath, limit: Duration = .milliseconds(200), isProven: Bool = false
    ) async throws {
        let host = try TestHost(root)
        let limits = ProbationLimits(load: limit, firstUse: limit)
        let book = ProbationBook(host.sandbox, limits: limits) { _ in _exit(70) }
        let proofs = Lines()
        await host.manager.keep(
            Probation(book: book, isProven: { _ in isProven }, onProof: { proofs.add($0.identity.description) }))
        let (_, mediator) = await host.connect(supply: host.manager)
        _ = try await host.manager.principal(of: TestHost.shop)
        #expect(proofs.all == [])
        _ = try await mediator.perform("act", on: "Shop")
        _ = try await mediator.perform("act", on: "Shop")
        #expect(proofs.all == (isProven ? [] : ["com.example.app.shop@1.0.0"]))
    }

    private func withInstalled(_ body: (TestHost) async throws -> Void) async throws {
        try await withHost { host in
            try host.offer(SamplePackage(targets: ["Shop"], library: await Self.library.value))
            try await host.manager.install(TestHost.shop)
            try await body(host)
        }
    }

    @Test(
        "hears once that a version runs, when it has been used, and leaves nothing written", arguments: [false, true])
    func proof(isProven: Bool) async throws {
        try await withInstalled { host in
            try await Self.use(in: host.root, isProven: isProven)
            #expect(try host.sandbox.probation.names == [])
        }
    }

    @Test("knows which version brought it down", arguments: Deed.allCases)
    func deeds(deed: Deed) async throws {
        try await withInstalled { host in
            let book = ProbationBook(host.sandbox)
            await #expect(processExitsWith: deed.condition) {
                [root = host.root.string as String, deed = deed as Deed] in
                setenv("ATRIUM_TEST_DEATH", deed.rawValue, 1)
                try await Self.use(in: FilePath(root))
            }
            let verdicts = book.verdicts()
            #expect(verdicts.map(\.cause) == [deed.blame?.cause].compactMap { $0 })
            #expect(verdicts.map(\.phase) == [deed.blame?.phase].compactMap { $0 })
            let digest = try host.digest
            #expect(verdicts.allSatisfy { $0.digest == digest })
        }
    }
}

extension TestHost {
    fileprivate var digest: String {
        get throws { try #require(try registry.installed(Self.shop)).active.digest }
    }
}
