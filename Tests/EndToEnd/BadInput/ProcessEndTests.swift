import PluginCore
import PluginTestKit
import Testing

/// Tests that only the host can end its process in an orderly way.
@Suite("Plugins that end the host's process", .tags(.large))
struct ProcessEndTests {
    /// The way in which a version ends the process, encoded in its minor version number.
    enum Ending: Int, CaseIterable {
        case exitAtLoad = 1, exitOnThreadAtLoad, endAtOnceAtLoad, quickExitAtLoad, otherProgramAtLoad, exitAtFirstUse

        var function: String {
            switch self {
            case .exitAtLoad, .exitOnThreadAtLoad, .exitAtFirstUse: "exit"
            case .endAtOnceAtLoad: "_exit"
            case .quickExitAtLoad: "quick_exit"
            case .otherProgramAtLoad: "execvp"
            }
        }

        var isLoad: Bool { self != .exitAtFirstUse }
    }

    /// One library with all ways, compiled once.
    private static let library = Task {
        try await compiled(
            swift: """
                import Glibc

                private func end(_ minor: Int) {
                    switch minor {
                    case \(Ending.exitAtLoad.rawValue): exit(0)
                    case \(Ending.exitOnThreadAtLoad.rawValue):
                        var thread = pthread_t()
                        pthread_create(&thread, nil, { _ in exit(0) }, nil)
                        pthread_join(thread, nil)
                    case \(Ending.endAtOnceAtLoad.rawValue): _exit(0)
                    case \(Ending.quickExitAtLoad.rawValue): quick_exit(0)
                    case \(Ending.otherProgramAtLoad.rawValue):
                        var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
                        execvp("true", &words)
                    default: break
                    }
                }

                private func endChild() -> Bool {
                    guard let symbol = dlsym(nil, "fork") else { return false }
                    let child = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)()
                    if child == 0 { _exit(3) }
                    var status: Int32 = 0
                    return waitpid(child, &status, 0) == child && status == 3 << 8
                }

                // Writing this stream blocks forever, because nothing reads it.
                private func fillStream() {
                    let path = "\\(Folder.path)/stuck"
                    mkfifo(path, 0o600)
                    let stream = fdopen(open(path, O_RDWR), "w")
                    setvbuf(stream, .allocate(capacity: 1 << 20), _IOFBF, 1 << 20)
                    for _ in 0..<(1 << 17) { fputs("stuck ", stream) }
                }

                private enum Folder { static var path: String { String(cString: getenv("FOLDER")) } }

                final class Sample: BundleDelegate {
                    let minor: Int

                    init(context: BundleContext) {
                        minor = context.identity.version.minor
                        end(minor)
                    }

                    func moon() -> Moon {
                        if minor == \(Ending.exitAtFirstUse.rawValue) { exit(0) }
                        return Moon()
                    }

                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract("account", .page, name: "home")) { sample in
                            let moon = sample.moon()
                            guard endChild() else { fatalError() }
                            return moon
                        }
                        Page(RouteContract("account/profile", .page, name: "profile")) { _ in exit(0) }
                        Page(RouteContract<NoValue, NoValue>("account/sign-in", .page, name: "sign-in")) { sample, _, request in
                            switch request.uri.parameters["at"] ?? "" {
                            case "crash": atexit { _ = UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
                            case "hang": atexit { while true { usleep(1000) } }
                            case "stuck": fillStream()
                            default: fputs("written", fopen(Folder.path + "/file", "w"))
                            }
                            return sample.moon()
                        }
                    }
                }

                final class Moon: Page {
                    let title = "Moon"
                    var content: [PageElement] { [] }
                }

                """)
    }

    /// Creates a sandbox with a version that has run, and a catalog with the given version.
    private func scene(_ version: String) async throws -> Scene {
        try await Scene(updatedTo: version, with: Self.library.value)
    }

    private func refusal(_ version: String, _ function: String) -> Refusal.Told {
        let bundle = "\(Scene.account)@\(version)"
        return Refusal.Told(
            code: "hostEnded", subject: bundle, message: "\(bundle) called \(function)(), which ends the host",
            remedy: "tell the plugin's author: a plugin must not end the process that it shares with others",
            details: nil, plugin: nil)
    }

    @Test(
        "A version that ends the process is treated as crashed, reported to scripts, and quarantined",
        arguments: Ending.allCases)
    func ends(ending: Ending) async throws {
        let version = "1.\(ending.rawValue).0"
        let scene = try await scene(version)
        let script = try await scene.host.hostapp.run("open", "app://account", "--json")
        #expect(script.status == 70, "\(script)")
        #expect(try script.json(as: [String: Refusal.Told].self) == ["error": refusal(version, ending.function)])
        if !ending.isLoad {
            // The call may end the program on purpose, so the first time does not quarantine the version.
            let person = try await scene.host.hostapp.run("open", "app://account")
            #expect(person.status == 70 && person.stdout == "", "\(person)")
            #expect(
                person.stderr.hasPrefix(
                    "error: \(Scene.account)@\(version) called exit(), which ends the host\n  remedy: "), "\(person)")
        }
        let next = try await scene.does("open", "app://account")
        let place = ending.isLoad ? "while it was loaded" : "when it was first used"
        #expect(next.stdout.hasPrefix("Account\n"))
        #expect(next.stderr.contains("\(version) ended the host \(place); 1.0.0 is active again\n"), "\(next)")
    }

    @Test(
        "A version that ends the process is treated as crashed even if it has run successfully; its child processes may end"
    )
    func hasRunVersions() async throws {
        let scene = try await scene("1.9.0")
        #expect(try await scene.does("open", "app://account").stdout.hasPrefix("Moon\n"))
        for _ in 0..<2 {
            let result = try await scene.host.hostapp.run("open", "app://account/profile", "--json")
            #expect(result.status == 70, "\(result)")
            #expect(try result.json(as: [String: Refusal.Told].self) == ["error": refusal("1.9.0", "exit")])
        }
    }

    @Test(
        "Neither exit handlers of a plugin nor a stream that nobody reads delay the end of the host",
        arguments: ["crash", "hang", "stuck"])
    func registered(what: String) async throws {
        let scene = try await scene("1.9.0")
        let folder = try ThrowawayFolder()
        let result = try await scene.host.hostapp.run(
            "open", "app://account/sign-in?at=\(what)", environment: ["FOLDER": folder.path.string],
            timeout: .seconds(60))
        #expect(result.status == 0 && result.stdout == "Moon\n====\n", "\(result)")
        // The same applies after an error.
        let failed = try await scene.host.hostapp.run(
            "open", "app://account/sign-in?at=\(what)", "--tap", "9", environment: ["FOLDER": folder.path.string],
            timeout: .seconds(60))
        #expect(failed.status == 66, "\(failed)")
    }

    @Test("Data that a plugin has written to a stream is not lost when the host ends")
    func streams() async throws {
        let scene = try await scene("1.9.0")
        let folder = try ThrowawayFolder()
        let result = try await scene.host.hostapp.run(
            "open", "app://account/sign-in", environment: ["FOLDER": folder.path.string])
        #expect(result.status == 0, "\(result)")
        #expect(try folder.bytes(of: "file") == Array("written".utf8))
    }
}
