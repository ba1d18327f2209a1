import PluginCore
import PluginTestKit
import Testing

@Suite("Versions that crash, hang or end the host", .tags(.large))
struct HarmfulVersionTests {
    /// A harm that a version does to the host.
    enum Deed: Int {
        case crash = 1, overflow, hang, kill, exit, exitOnThread, endAtOnce, quickExit, otherProgram

        /// The words of the host when it quarantines the version.
        var words: String {
            switch self {
            case .crash: "crashed the host (SIGILL)"
            case .overflow: "crashed the host (SIGSEGV)"
            case .hang: "hung the host"
            case .kill: "was running twice when the host was killed,"
            case .exit, .exitOnThread, .endAtOnce, .quickExit, .otherProgram: "ended the host"
            }
        }

        /// The function that ends the host.
        var function: String? {
            switch self {
            case .crash, .overflow, .hang, .kill: nil
            case .exit, .exitOnThread: "exit"
            case .endAtOnce: "_exit"
            case .quickExit: "quick_exit"
            case .otherProgram: "execvp"
            }
        }
    }

    /// The time at which it does it.
    enum Moment: Int, CaseIterable {
        case load, firstUse, task, title, content, actions, perform, unload

        var words: String {
            switch self {
            case .load: " while it was loaded"
            case .firstUse, .unload: " when it was first used"
            // The time at which a task runs is not defined, so its end cannot be attributed to a call.
            case .task: ""
            case .title, .content, .actions: " when its page was shown"
            case .perform: " when an action of its page was performed"
            }
        }
    }

    /// The fault of a version, encoded in its minor version number.
    struct Harm: Sendable, CustomTestStringConvertible {
        let deed: Deed
        let moment: Moment

        var testDescription: String { "\(deed), \(moment)" }
        var version: String { "1.\(deed.rawValue * 10 + moment.rawValue).0" }
        var explanation: String { "\(version) \(deed.words)\(moment.words)" }

        /// The exit statuses of successive starts until the version is quarantined.
        var statuses: [Int32] {
            switch deed {
            // A trap ends the process with SIGILL, which a shell reports as 128 and the signal's number.
            case .crash: [132]
            case .overflow: [139]
            case .hang: [70]
            // The cause of a kill is unknown, so the version is quarantined only after the second time.
            case .kill: [137, 137]
            // Once it is loaded, a plugin may end the program on purpose.
            default: moment == .load ? [70] : [70, 70]
            }
        }

        private static let deeds: KeyValuePairs<Deed, [Moment]> = [
            .crash: Moment.allCases, .overflow: [.content], .hang: [.load, .task, .content, .perform], .kill: [.load],
            .exit: [.load, .firstUse], .exitOnThread: [.load], .endAtOnce: [.load, .content], .quickExit: [.load],
            .otherProgram: [.load],
        ]
        static let all = deeds.flatMap { deed, moments in moments.map { Harm(deed: deed, moment: $0) } }
    }

    private static let crashing = Harm(deed: .crash, moment: .load)

    /// One library with all faults, compiled once.
    private static let library = Task {
        try await compiled(
            swift: """
                @inline(never) func overflow(_ depth: Int) -> Int { depth < 0 ? 0 : overflow(depth + 1) + 1 }

                func act(_ deed: Int) {
                    switch deed {
                    case \(Deed.crash.rawValue): fatalError()
                    case \(Deed.overflow.rawValue): print(overflow(0))
                    case \(Deed.hang.rawValue): while true { usleep(1000) }
                    case \(Deed.kill.rawValue): kill(getpid(), SIGKILL)
                    case \(Deed.exit.rawValue): exit(0)
                    case \(Deed.exitOnThread.rawValue):
                        var thread = pthread_t()
                        pthread_create(&thread, nil, { _ in exit(0) }, nil)
                        pthread_join(thread, nil)
                    case \(Deed.endAtOnce.rawValue): _exit(0)
                    case \(Deed.quickExit.rawValue): quick_exit(0)
                    case \(Deed.otherProgram.rawValue):
                        var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
                        execvp("true", &words)
                    default: break
                    }
                }

                final class Sample: BundleDelegate {
                    private let harm: Int

                    init(context: BundleContext) {
                        harm = context.identity.version.minor
                        reach(\(Moment.load.rawValue))
                        // The task runs while the load is suspended or after it.
                        if harm % 10 == \(Moment.task.rawValue) { Task { @MainActor in act(harm / 10) } }
                    }

                    func reach(_ moment: Int) {
                        if harm % 10 == moment { act(harm / 10) }
                    }

                    func bundleWillUnload() async { reach(\(Moment.unload.rawValue)) }

                    static var routes: some RouteSet<Sample> {
                        Route(PageRoute<NoValue>("account", name: "home")) { sample in
                            sample.reach(\(Moment.firstUse.rawValue))
                            return HarmfulPage(sample)
                        }
                    }
                }

                final class HarmfulPage: Page {
                    private let sample: Sample
                    init(_ sample: Sample) { self.sample = sample }
                    var title: String {
                        sample.reach(\(Moment.title.rawValue))
                        return "Sample"
                    }
                    var content: [PageElement] {
                        sample.reach(\(Moment.content.rawValue))
                        if getenv("ATRIUM_TEST_HANG") != nil { act(\(Deed.hang.rawValue)) }
                        return []
                    }
                    var actions: [PageAction] {
                        sample.reach(\(Moment.actions.rawValue))
                        return [PageAction("go", title: "Go") { _ in self.sample.reach(\(Moment.perform.rawValue)) }]
                    }
                }

                """)
    }

    @Test(
        "A version that crashes or hangs is quarantined within two starts, and the version before is used again",
        arguments: Harm.all)
    func harm(harm: Harm) async throws {
        let scene = try await Scene(updatedTo: harm.version, with: Self.library.value)
        for status in harm.statuses {
            let result = try await scene.host.hostapp.run("open", "app://account", "--tap", "go", "--json")
            #expect(result.status == status, "\(result)")
            guard status == 70 else {
                #expect(harm.moment != .load || result.stdout == "")
                continue
            }
            let refusal = try result.refusal
            #expect(refusal.subject == "\(Scene.account)@\(harm.version)", "\(result)")
            #expect(refusal.code == (harm.deed == .hang ? "hostHung" : "hostEnded"), "\(result)")
            let words = harm.deed.function.map { "called \($0)(), which ends the host" }
            #expect(refusal.message.contains(words ?? harm.explanation), "\(result)")
        }
        let next = try await scene.run("open", "app://account")
        #expect(next.stdout.hasPrefix("Account\n"))
        #expect(next.stderr.contains(harm.explanation), "\(next)")
        #expect(next.stderr.contains("; 1.0.0 is active again\n"), "\(next)")
        // The quarantined version is not offered again and not reported again.
        let stays = "\(Scene.account)@1.0.0 stays; \"hostapp why \(Scene.account)\" shows why \(harm.version) is not "
        #expect(try await scene.run("update", Scene.account).stdout == stays + "installed.\n")
        #expect(try await scene.run("open", "app://account").stderr == "")
    }

    @Test("A page that hangs in a version that has run successfully ends the host, and the version is not quarantined")
    func hangingPage() async throws {
        let scene = try await Scene(updatedTo: "1.100.0", with: Self.library.value)
        try await scene.run("open", "app://account")
        for _ in 0..<2 {
            let result = try await scene.host.hostapp.run(
                "open", "app://account", environment: ["ATRIUM_TEST_HANG": "1"])
            #expect(result.status == 70, "\(result)")
            let words = "\(Scene.account)@1.100.0 hung the host when its page was shown; the host exits"
            // The report contains the library's file and the offset of the code that hangs.
            #expect(result.stderr.contains(words) && result.stderr.contains("libAccount.so+0x"), "\(result)")
            #expect(result.stderr.contains("hostapp rollback \(Scene.account)"), "\(result)")
        }
        let next = try await scene.run("open", "app://account")
        #expect(next.stdout.hasPrefix("Sample\n") && next.stderr == "", "\(next)")
    }

    @Test("After a crash, the last version that has run successfully is restored, skipping those that never ran")
    func neverRun() async throws {
        let scene = try await Scene(updatedTo: Self.crashing.version, with: Self.library.value)
        try scene.offer("1.\(Self.crashing.deed.rawValue * 10).1", with: try await Self.library.value)
        try await scene.run("update", Scene.account)
        try await scene.run("gc")
        #expect(try await scene.host.hostapp.run("open", "app://account").status == 132)
        let next = try await scene.run("open", "app://account")
        #expect(next.stderr.contains("1.0.0 is active again\n"), "\(next)")
    }
}
