import PluginCore
import PluginTestKit
import Testing

@Suite("Standard output that cannot be written", .tags(.large))
struct OutputTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test(
        "A reader that goes away causes no error message",
        arguments: [["catalog"], ["install", "nothing", "--json"]])
    func brokenPipe(arguments: [String]) async throws {
        let folder = try ThrowawayFolder()
        // The host starts only after the reader has gone away.
        let line = """
            mkfifo "$FOLDER/gone"
            { read -r _ < "$FOLDER/gone"; "$@"; echo "$?" >&2; } | { exec <&-; echo now > "$FOLDER/gone"; }
            """
        let result = try await scene.shell(line).run(arguments, environment: ["FOLDER": folder.path.string])
        #expect(result.stderr == (arguments.contains("nothing") ? "66\n" : "0\n"))
        #expect(try scene.sandbox.tree().isEmpty)
    }

    @Test(
        "Standard output that cannot be written ends with its own error",
        arguments: [
            ("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor"),
        ],
        [["catalog", "--json"], ["--help"]])
    func full(target: (redirection: String, cause: String), arguments: [String]) async throws {
        let result = try await scene.shell("\"$@\" \(target.redirection)").run(arguments)
        #expect(result.status == 74)
        #expect(
            result.stderr == """
                error: cannot write the result: \(target.cause)
                  remedy: check that its destination is open and has space left

                """)
        #expect(try scene.sandbox.tree().isEmpty)
    }

    @Test("A full disk for output neither undoes a completed command nor hides another error")
    func fullAfterWork() async throws {
        let refused = try await scene.shell("\"$@\" > /dev/full").run("install", "nothing", "--json")
        #expect(refused.status == 74)
        #expect(refused.stderr.hasPrefix("error: there is no bundle \"nothing\""))
        #expect(try await scene.shell("\"$@\" > /dev/full").run("install", Scene.account).status == 74)
        #expect(try await scene.run("list").stdout.contains(Scene.account))
    }
}
