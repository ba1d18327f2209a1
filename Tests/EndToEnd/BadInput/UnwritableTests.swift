import PluginCore
import PluginTestKit
import Testing

@Suite("Sandboxes that cannot be written", .tags(.large))
struct UnwritableTests {
    static let remedy = "ask its owner for permission to read and write it; \"--sandbox DIR\" chooses another sandbox"

    @Test(
        "A file in place of a folder of the sandbox is an error",
        arguments: ["file", "file/sandbox"],
        [["install", Scene.account], ["open", "app://account"], ["list"], ["catalog"], ["history"], ["update"]])
    func belowFile(name: String, arguments: [String]) async throws {
        let scene = try Scene()
        let folder = try ThrowawayFolder()
        try folder.write("I was here first.", to: "file")
        let before = try folder.tree()
        let sandbox = folder.appending(name)
        let host = Executable(
            scene.host.hostapp.path, leading: ["--sandbox", sandbox.string, "--catalog", scene.catalog.folder.string])
        let registry = "\(sandbox)/Containers/Bundle/registry.sqlite"
        try await scene.refuses(
            arguments, by: host,
            with: Refusal(
                status: 74, code: "sandboxUnwritable", subject: registry,
                message: "\"\(registry)\" cannot be read or written: finding it failed: Not a directory",
                remedy: Self.remedy))
        #expect(before.changes(to: try folder.tree()) == [])
    }

    @Test("Without write permission, commands that write fail and commands that only read succeed")
    func noRights() async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop, Scene.account)
        try await Stranger.lock(scene.sandbox.root.parent)
        try await Stranger.lock(scene.catalog.folder)
        let stranger = try await Stranger(scene.host, scene.sandbox.root, scene.catalog.folder)
        let lock = "SANDBOX/Containers/Bundle/host.lock"
        for arguments in [
            ["install", Scene.orders], ["uninstall", Scene.account], ["rollback", Scene.shop],
            ["open", "app://orders"],
        ] {
            try await scene.refuses(
                arguments, by: stranger.executable,
                with: Refusal(
                    status: 74, code: "sandboxUnwritable", subject: lock,
                    message: "\"\(lock)\" cannot be read or written: locking it failed: Permission denied",
                    remedy: Self.remedy))
        }
        let before = try scene.sandbox.tree()
        for arguments in [["list"], ["catalog"], ["info", Scene.account], ["history"], ["open", "app://account"]] {
            let result = try await stranger.executable.run(arguments)
            #expect(result.status == 0, "\(result)")
        }
        #expect(before.changes(to: try scene.sandbox.tree()) == [])
    }
}

/// A host that runs as a user without special permissions.
private struct Stranger {
    let executable: Executable
    /// A copy of the host that this user can read, because the build may be in a folder of root.
    private let copy: ThrowawayFolder

    init(_ host: HostApp, _ sandbox: FilePath, _ catalog: FilePath) async throws {
        copy = try ThrowawayFolder()
        let options = ["--sandbox", sandbox.string, "--catalog", catalog.string]
        // Root ignores permissions, and only root can switch to another user.
        guard isRoot else {
            executable = Executable(host.hostapp.path, leading: options)
            return
        }
        for folder in ["bin", "lib", "share"] {
            let result = try await Executable("/bin/cp").run(
                "-r", host.build.appending(folder).string, copy.appending(folder).string)
            try #require(result.status == 0, "\(result)")
        }
        executable = Executable(
            "/usr/bin/setpriv",
            leading: [
                "--reuid=65534", "--regid=65534", "--clear-groups", copy.appending("bin/hostapp").string,
            ] + options)
        try await Self.lock(copy.path)
    }

    /// Removes write permission from everything below a path and grants read permission to everyone.
    static func lock(_ path: FilePath) async throws {
        let result = try await Executable("/bin/chmod").run("-R", "a-w,a+rX", path.string)
        try #require(result.status == 0, "\(result)")
    }
}
