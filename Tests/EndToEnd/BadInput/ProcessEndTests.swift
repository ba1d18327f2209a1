import PluginCore
import PluginTestKit
import Testing

@Suite("What a plugin leaves to the end of the host's process", .tags(.large))
struct ProcessEndTests {
    private let folder: ThrowawayFolder

    init() throws { folder = try ThrowawayFolder() }

    private static let library = Task {
        try await compiled(
            routes: """
                Route(PageRoute<NoValue>("account", name: "home")) { _, _, request in
                    switch request.uri.parameters["at"] ?? "" {
                    case "child": guard endChild() else { fatalError() }
                    case "exit": exit(0)
                    case "crash": atexit { _ = UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
                    case "hang": atexit { while true { usleep(1000) } }
                    case "stuck": fillStream()
                    default: fputs("written", fopen(folder() + "/file", "w"))
                    }
                    return SamplePage("Moon")
                }
                """,
            with: """
                func folder() -> String { String(cString: getenv("FOLDER")) }

                func endChild() -> Bool {
                    guard let symbol = dlsym(nil, "fork") else { return false }
                    let child = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)()
                    if child == 0 { _exit(3) }
                    var status: Int32 = 0
                    return waitpid(child, &status, 0) == child && status == 3 << 8
                }

                // Writing this stream blocks forever, because nothing reads it.
                func fillStream() {
                    let path = folder() + "/stuck"
                    mkfifo(path, 0o600)
                    let stream = fdopen(open(path, O_RDWR), "w")
                    setvbuf(stream, .allocate(capacity: 1 << 20), _IOFBF, 1 << 20)
                    for _ in 0..<(1 << 17) { fputs("stuck ", stream) }
                }
                """)
    }

    /// Opens the page in a sandbox with a version that has run.
    private func open(
        _ what: String, _ words: String..., in folder: ThrowawayFolder
    ) async throws -> (scene: Scene, result: ProcessResult) {
        let scene = try await Scene(updatedTo: "1.9.0", with: Self.library.value)
        let result = try await scene.host.hostapp.run(
            ["open", "app://account?at=\(what)"] + words, environment: ["FOLDER": folder.path.string],
            timeout: .seconds(60))
        return (scene, result)
    }

    @Test(
        "Neither exit handlers of a plugin, nor a stream that nobody reads, nor the end of a child process is the host's",
        arguments: ["crash", "hang", "stuck", "child"])
    func registered(what: String) async throws {
        let (_, result) = try await open(what, in: folder)
        #expect(result.status == 0 && result.stdout == "Moon\n====\n", "\(result)")
        // The same applies after an error.
        let (_, failed) = try await open(what, "--tap", "9", in: folder)
        #expect(failed.status == 66, "\(failed)")
    }

    @Test("A version that ends the process after it has run successfully is reported, and not quarantined")
    func hasRun() async throws {
        let (scene, first) = try await open("child", in: folder)
        #expect(first.status == 0, "\(first)")
        for _ in 0..<2 {
            let result = try await scene.host.hostapp.run("open", "app://account?at=exit", "--json")
            #expect(try result.status == 70 && result.refusal.code == "hostEnded", "\(result)")
        }
        let last = try await scene.host.hostapp.run(
            ["open", "app://account?at=child"], environment: ["FOLDER": folder.path.string])
        #expect(last.status == 0 && last.stdout == "Moon\n====\n" && last.stderr.isEmpty, "\(last)")
    }

    @Test("Data that a plugin has written to a stream is not lost when the host ends")
    func streams() async throws {
        let (_, result) = try await open("", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(try folder.bytes(of: "file") == Array("written".utf8))
    }
}
