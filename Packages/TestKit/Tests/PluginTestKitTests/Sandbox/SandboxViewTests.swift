import PluginCore
import PluginTestKit
import Testing

@Suite("Sandbox views", .tags(.large))
struct SandboxViewTests {
    /// Runs a closure with a fake host whose list and history commands print files.
    private static func withHost(
        _ body: (HostApp, ThrowawaySandbox, ThrowawayFolder) async throws -> Void
    ) async throws {
        let build = try ThrowawayFolder()
        try build.write(program: "exec cat \"${0%/*}/$1\"", to: "bin/hostapp")
        try build.write("no bundle\n", to: "bin/list")
        try build.write("nothing\n", to: "bin/history")
        try await body(HostApp(build: build.path), try ThrowawaySandbox(), build)
    }

    @Test("Two views are equal if only the records of executed code differ")
    func notes() async throws {
        try await Self.withHost { host, sandbox, build in
            func write(_ text: String, to name: String) async throws {
                let path = sandbox.root.appending(name)
                let shell = try await Executable("/bin/sh").run(
                    ["-c", "mkdir -p \"${1%/*}\" && printf %s \"$2\" > \"$1\"", "sh", path.string, text])
                try #require(shell.status == 0, "\(shell)")
            }
            try await write("1", to: "Containers/Bundle/registry.sqlite")
            let before = try await host.view(of: sandbox)
            try await write("2", to: "Containers/Bundle/registry.sqlite")
            try await write("{}", to: "Containers/Bundle/MinimumVersions/com.example.a")
            let noted = try await host.view(of: sandbox)
            #expect(before.changes(to: noted) == [])
            #expect(before.tree.changes(to: noted.tree).count == 3)

            let folder = "- Containers/Bundle/MinimumVersions"
            #expect(noted.changes(to: before) == [folder, folder + "/com.example.a"])
            try await write("x", to: "Containers/Bundle/other")
            try build.write("a bundle\n", to: "bin/list")
            try build.write("installed\n", to: "bin/history")
            let after = try await host.view(of: sandbox)
            let changes = ["list: no bundle\n to a bundle\n", "history: nothing\n to installed\n"]
            #expect(before.changes(to: after) == ["+ Containers/Bundle/other"] + changes)
        }
    }
}
