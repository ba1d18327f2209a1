import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("Publications at once, and without space", .tags(.large))
struct PublicationTests {
    private let folder: ThrowawayFolder
    private let build: HostApp

    init() throws {
        folder = try ThrowawayFolder()
        build = try HostApp.find()
        try folder.write("secret\n", to: "password")
    }

    private func words(_ plugin: String) -> [String] {
        [
            "publish", build.catalog.appending("com.example.\(plugin)-1.0.0.zip").string, "--to",
            folder.appending("site").string, "--keys", folder.appending("keys").string, "--password-file",
            folder.appending("password").string,
        ]
    }

    private var leftovers: [String] {
        get throws { try FileTree(of: folder.appending("site")).paths.filter { $0.hasSuffix(".tmp") } }
    }

    @Test("Publications at once wait for each other, also for the first one, and none is lost")
    func atOnce() async throws {
        let plugins = ["lib.money", "app.account", "app.notes", "app.photos"]
        try await withThrowingTaskGroup(of: ProcessResult.self) { group in
            for plugin in plugins { group.addTask { [self] in try await build.bundletool.run(words(plugin)) } }
            for try await result in group { #expect(result.status == 0, "\(result)") }
        }
        let catalog = try await build.bundletool.run("catalog", folder.appending("site").string, "--json")
        for plugin in plugins { #expect(catalog.stdout.contains("com.example.\(plugin)"), "\(catalog)") }
    }

    @Test("A limit for the size of files ends a publication and a package with 74 and the advice, and leaves nothing")
    func sizeLimit() async throws {
        try await build.bundletool.run(words("lib.money")).succeeded()
        let state = try folder.bytes(of: "site/metadata/timestamp.json")
        func limited(_ words: [String]) async throws -> ProcessResult {
            // Blocks of 512 bytes.
            let shell = Executable(
                "/bin/sh", leading: ["-c", "ulimit -f 60; exec \"$@\"", "sh", build.bundletool.path.string])
            return try await shell.run(words)
        }
        let person = try await limited(words("app.account"))
        #expect(person.status == 74 && person.stderr.contains("ulimit -f"), "\(person)")
        let script = try await limited(words("app.account") + ["--json"])
        #expect(script.status == 74 && script.stdout.contains("\"error\""), "\(script)")
        #expect(try leftovers == [])
        #expect(try folder.bytes(of: "site/metadata/timestamp.json") == state)
        let again = try await build.bundletool.run(words("app.account"))
        #expect(again.status == 0, "\(again)")

        try await build.bundletool.run("keygen", "--output", folder.appending("team").string, "--no-password")
            .succeeded()
        let package = build.catalog.appending("com.example.app.account-1.0.0.zip").string
        let signed = try await limited([
            "sign", package, "--key", folder.appending("team.key").string, "--team", "com.example", "-o",
            folder.appending("signed.zip").string,
        ])
        #expect(signed.status == 74, "\(signed)")
        #expect(!folder.appending("signed.zip").exists)
    }
}
