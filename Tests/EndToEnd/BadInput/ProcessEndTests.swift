import PluginCore
import PluginTestKit
import Testing

/// A plugin shares its host's process, whose end is for the host to order.
@Suite("A plugin at the end of the process")
struct ProcessEndTests {
    /// How a version ends the process; which one it is, its minor number says.
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

    /// One library with all of it, compiled once.
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

                // A stream whose content nobody takes: to write it takes for ever.
                private func fillStream() {
                    let path = "\\(Folder.path)/stuck"
                    mkfifo(path, 0o600)
                    let stream = fdopen(open(path, O_RDWR), "w")
                    setvbuf(stream, .allocate(capacity: 1 << 20), _IOFBF, 1 << 20)
                    for _ in 0..<(1 << 17) { fputs("stuck ", stream) }
                }

                private enum Folder { static var path: String { String(cString: getenv("FOLDER")) } }

                final class Sample: BundleDelegate {
                    private var minor = 0
                    init() {}
                    func bundleDidLoad(_ context: BundleContext) async throws {
                        minor = context.identity.version.minor
                        end(minor)
                    }
                    func resource(for request: ResourceRequest) async throws -> Resource {
                        if minor == \(Ending.exitAtFirstUse.rawValue) { exit(0) }
                        switch request.name {
                        case "profile": exit(0)
                        case "sign-in":
                            switch request.uri.parameters["at"] ?? "" {
                            case "crash": atexit { _ = UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
                            case "hang": atexit { while true { usleep(1) } }
                            case "stuck": fillStream()
                            default: fputs("written", fopen(Folder.path + "/file", "w"))
                            }
                        default: guard endChild() else { fatalError() }
                        }
                        return .page(await Moon())
                    }
                }

                final class Moon: Page {
                    let title = "Moon"
                    var content: [PageElement] { [] }
                }

                """)
    }

    /// A sandbox with a version that runs, and a catalog with the one that is meant.
    private func scene(_ version: String) async throws -> Scene {
        let scene = try await Scene(installed: Scene.account)
        try await scene.does("open", "app://account")
        let library = try await Self.library.value
        try scene.change(Scene.account) { package in
            try package.rename(version: version)
            package.set(LibraryTests.library, to: library)
        }
        try await scene.does("update", Scene.account)
        return scene
    }

    private func refusal(_ version: String, _ function: String) -> Refusal.Told {
        let bundle = "\(Scene.account)@\(version)"
        return Refusal.Told(
            code: "hostEnded", subject: bundle, message: "\(bundle) called \(function)(), which ends the host",
            remedy: "tell the plugin's author: a plugin must not end the process that it shares with others",
            details: nil, plugin: nil)
    }

    @Test(
        "that it ends itself has crashed: it is told to scripts, has a crash's status, and is put away",
        arguments: Ending.allCases)
    func ends(ending: Ending) async throws {
        let version = "1.\(ending.rawValue).0"
        let scene = try await scene(version)
        let script = try await scene.host.hostapp.run("open", "app://account", "--json")
        #expect(script.status == 70, "\(script)")
        #expect(try script.json(as: [String: Refusal.Told].self) == ["error": refusal(version, ending.function)])
        if !ending.isLoad {
            // A call may be there to end the program, once.
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

    @Test("that it ends itself has crashed also when it has run before, and a child of it may end as it likes")
    func proven() async throws {
        let scene = try await scene("1.9.0")
        #expect(try await scene.does("open", "app://account").stdout.hasPrefix("Moon\n"))
        for _ in 0..<2 {
            let result = try await scene.host.hostapp.run("open", "app://account/profile", "--json")
            #expect(result.status == 70, "\(result)")
            #expect(try result.json(as: [String: Refusal.Told].self) == ["error": refusal("1.9.0", "exit")])
        }
    }

    @Test(
        "that the host ends does nothing: neither what it has registered for it nor a stream that nobody reads keeps the host",
        arguments: ["crash", "hang", "stuck"])
    func registered(what: String) async throws {
        let scene = try await scene("1.9.0")
        let folder = try ThrowawayFolder()
        let result = try await scene.host.hostapp.run(
            "open", "app://account/sign-in?at=\(what)", environment: ["FOLDER": folder.path.string],
            timeout: .seconds(60))
        #expect(result.status == 0 && result.stdout == "Moon\n====\n", "\(result)")
        // The same after an error.
        let failed = try await scene.host.hostapp.run(
            "open", "app://account/sign-in?at=\(what)", "--tap", "9", environment: ["FOLDER": folder.path.string],
            timeout: .seconds(60))
        #expect(failed.status == 66, "\(failed)")
    }

    @Test("that the host ends loses nothing that it has written to a stream")
    func streams() async throws {
        let scene = try await scene("1.9.0")
        let folder = try ThrowawayFolder()
        let result = try await scene.host.hostapp.run(
            "open", "app://account/sign-in", environment: ["FOLDER": folder.path.string])
        #expect(result.status == 0, "\(result)")
        #expect(try folder.bytes(of: "file") == Array("written".utf8))
    }
}
