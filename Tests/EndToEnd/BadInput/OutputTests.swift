import PluginCore
import PluginTestKit
import Testing

@Suite("Standard output")
struct OutputTests {
    /// A shell that runs the host and then its line, in which `"$@"` is the host's command line.
    private func shell(_ line: String, _ scene: Scene) -> Executable {
        Executable(
            "/bin/sh",
            leading: [
                "-c", line, "sh", scene.host.hostapp.path.string, "--sandbox", scene.sandbox.root.string, "--catalog",
                scene.catalog.folder.string,
            ])
    }

    @Test(
        "that nobody reads any more is no error, and leaves no trace",
        arguments: [["catalog"], ["catalog", "--json"], ["install", "nothing", "--json"], ["--help"]])
    func brokenPipe(arguments: [String]) async throws {
        let scene = try Scene()
        let folder = try ThrowawayFolder()
        // The host only starts when the reader has gone.
        let line = """
            mkfifo "$FOLDER/gone"
            { read -r _ < "$FOLDER/gone"; "$@"; echo "$?" >&2; } | { exec <&-; echo now > "$FOLDER/gone"; }
            """
        let result = try await shell(line, scene).run(arguments, environment: ["FOLDER": folder.path.string])
        #expect(result.stderr == (arguments.contains("nothing") ? "66\n" : "0\n"))
        #expect(try scene.sandbox.tree().isEmpty)
    }

    @Test(
        "that cannot be written to is an error of its own",
        arguments: [
            ("> /dev/full", "No space left on device"), (">&-", "Bad file descriptor"),
        ],
        [["catalog"], ["catalog", "--json"], ["list"], ["--help"], ["--version"]])
    func full(target: (redirection: String, cause: String), arguments: [String]) async throws {
        let scene = try Scene()
        let result = try await shell("\"$@\" \(target.redirection)", scene).run(arguments)
        #expect(result.status == 74)
        #expect(
            result.stderr == """
                error: cannot write the result: \(target.cause)
                  remedy: check that its destination is open and has space left

                """)
        #expect(try scene.sandbox.tree().isEmpty)
    }

    @Test("that is full does not undo what was done, and does not hide what went wrong")
    func fullAfterWork() async throws {
        let scene = try Scene()
        let refused = try await shell("\"$@\" > /dev/full", scene).run("install", "nothing", "--json")
        #expect(refused.status == 74)
        #expect(refused.stderr.hasPrefix("error: there is no bundle \"nothing\""))
        let installed = try await shell("\"$@\" > /dev/full", scene).run("install", Scene.account)
        #expect(installed.status == 74)
        #expect(try await scene.does("list").stdout.contains(Scene.account))
    }

    @Test("is all that counts: a closed standard error changes nothing")
    func noError() async throws {
        let scene = try Scene()
        let result = try await shell("\"$@\" 2>&-", scene).run("install", Scene.account)
        #expect(result.status == 0)
        #expect(result.stdout == "Installed com.example.app.account@1.0.0.\n")
    }
}
