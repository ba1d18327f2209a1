import PluginCore
import PluginTestKit
import Testing

@Suite("Versions that crash or hang the host after they were loaded", .tags(.large))
struct HarmfulPageTests {
    /// The kind of fault that a version has, encoded in its minor version number.
    enum Harm: Int, CaseIterable {
        case crashInTitle = 1, crashInContent, crashInActions, overflowInContent, crashInPerform, crashInTask
        case crashAtUnload, hangInContent, hangInPerform, hangInTask, exitInContent

        /// The exit statuses of successive starts until the version is quarantined.
        var statuses: [Int32] {
            switch self {
            case .hangInContent, .hangInPerform, .hangInTask: [70]
            case .overflowInContent: [139]
            // The call may end the program on purpose, so the version is quarantined only after the second time.
            case .exitInContent: [70, 70]
            default: [132]
            }
        }

        /// The host's explanation when it quarantines the version.
        var explanation: String {
            switch self {
            case .crashInTitle, .crashInContent, .crashInActions: "crashed the host (SIGILL) when its page was shown"
            case .overflowInContent: "crashed the host (SIGSEGV) when its page was shown"
            case .crashInPerform: "crashed the host (SIGILL) when an action of its page was performed"
            // The time at which a task runs is not defined, so the crash cannot be attributed to a call.
            case .crashInTask: "crashed the host (SIGILL)"
            case .crashAtUnload: "crashed the host (SIGILL) when it was first used"
            case .hangInContent: "hung the host when its page was shown"
            case .hangInPerform: "hung the host when an action of its page was performed"
            case .hangInTask: "hung the host"
            case .exitInContent: "ended the host when its page was shown"
            }
        }
    }

    /// One library with all faults, compiled once.
    private static let library = Task {
        try await compiled(
            swift: """
                import Glibc

                @inline(never) func crash() { fatalError() }
                @inline(never) func hang() { while true { usleep(1000) } }
                @inline(never) func overflow(_ depth: Int) -> Int { depth < 0 ? 0 : overflow(depth + 1) + 1 }

                final class Sample: BundleDelegate {
                    let harm: Int

                    init(context: BundleContext) {
                        harm = context.identity.version.minor
                        if harm == \(Harm.crashInTask.rawValue) || harm == \(Harm.hangInTask.rawValue) {
                            let harm = harm
                            // The task runs while the load is suspended or after it.
                            Task { @MainActor in
                                if harm == \(Harm.crashInTask.rawValue) { crash() } else { hang() }
                            }
                        }
                    }
                    func bundleWillUnload() async {
                        if harm == \(Harm.crashAtUnload.rawValue) { crash() }
                    }

                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract("account", .page, name: "home")) { sample in SamplePage(sample.harm) }
                    }
                }

                final class SamplePage: Page {
                    private let harm: Int
                    init(_ harm: Int) { self.harm = harm }
                    var title: String {
                        if harm == \(Harm.crashInTitle.rawValue) { crash() }
                        return "Sample"
                    }
                    var content: [PageElement] {
                        switch harm {
                        case \(Harm.crashInContent.rawValue): crash()
                        case \(Harm.overflowInContent.rawValue): return [.text("\\(overflow(0))")]
                        case \(Harm.hangInContent.rawValue): hang()
                        case \(Harm.exitInContent.rawValue): _exit(3)
                        case 100 where getenv("ATRIUM_TEST_HANG") != nil: hang()
                        default: break
                        }
                        return []
                    }
                    var actions: [PageAction] {
                        if harm == \(Harm.crashInActions.rawValue) { crash() }
                        return [PageAction("go", title: "Go")]
                    }
                    func perform(
                        _ action: String, input: [String: String], on navigator: any Navigator
                    ) async throws {
                        if harm == \(Harm.crashInPerform.rawValue) { crash() }
                        if harm == \(Harm.hangInPerform.rawValue) { hang() }
                    }
                }

                """)
    }

    @Test(
        "A version that crashes or hangs after it was loaded is quarantined, and the version before is used again",
        arguments: Harm.allCases)
    func harm(harm: Harm) async throws {
        let version = "1.\(harm.rawValue).0"
        let scene = try await Scene(updatedTo: version, with: Self.library.value)
        for status in harm.statuses {
            let result = try await scene.host.hostapp.run("open", "app://account", "--tap", "go")
            #expect(result.status == status, "\(result)")
            if harm.explanation.hasPrefix("hung") {
                // The report contains the library's file and the offset of the code that hangs.
                #expect(result.stderr.contains("libAccount.so+0x"), "\(result)")
            }
        }
        let next = try await scene.does("open", "app://account")
        #expect(next.stdout.hasPrefix("Account\n"))
        #expect(next.stderr.contains("\(version) \(harm.explanation)"), "\(next)")
        #expect(next.stderr.contains("; 1.0.0 is active again\n"), "\(next)")
    }

    @Test(
        "A shortage of threads ends the host with a report and does not quarantine the version")
    func shortage() async throws {
        let scene = try await Scene(installed: Scene.account)
        try await scene.does("open", "app://account")
        try scene.change(Scene.account) { try $0.rename(version: "1.1.0") }
        try await scene.does("update", Scene.account)
        // Some limits are too low for any thread, some only for the last one of a command, and some are sufficient.
        var statuses: Set<Int32> = []
        for limit in stride(from: 80_000, through: 260_000, by: 20_000) {
            let words = "ulimit -v \(limit); exec \"$@\""
            let result = try await Executable("/bin/sh").run(
                ["-c", words, "sh"] + scene.commandLine + ["open", "app://account"])
            statuses.insert(result.status)
            if result.status == 75 { #expect(result.stderr.contains("cannot create another thread"), "\(result)") }
            // With a lower limit, the program itself lacks the memory to start.
            let isShortage = result.status == 74 && result.stderr.contains("Cannot allocate memory")
            #expect([0, 75].contains(result.status) || isShortage || limit < 140_000, "\(limit): \(result)")
        }
        #expect(statuses.contains(75))
        let list = try await scene.does("list").stdout
        #expect(list.contains("1.1.0"), "\(list)")
        #expect(try await scene.does("open", "app://account").stderr == "")
    }

    @Test("A page that hangs in a version that has run successfully ends the host, and the version is not quarantined")
    func hangingPage() async throws {
        let scene = try await Scene(installed: Scene.account)
        let library = try await Self.library.value
        try scene.offer("1.100.0", with: library)
        try await scene.does("update", Scene.account)
        try await scene.does("open", "app://account")
        for _ in 0..<2 {
            let result = try await scene.host.hostapp.run(
                "open", "app://account", environment: ["ATRIUM_TEST_HANG": "1"])
            #expect(result.status == 70, "\(result)")
            let words = "\(Scene.account)@1.100.0 hung the host when its page was shown; the host exits"
            #expect(result.stderr.contains(words) && result.stderr.contains("libAccount.so+0x"), "\(result)")
            #expect(result.stderr.contains("hostapp rollback \(Scene.account)"), "\(result)")
        }
        let next = try await scene.does("open", "app://account")
        #expect(next.stdout.hasPrefix("Sample\n") && next.stderr == "", "\(next)")
    }
}
