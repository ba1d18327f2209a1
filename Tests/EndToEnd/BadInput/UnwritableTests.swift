import PluginCore
import PluginTestKit
import Testing

import Glibc

@Suite("Sandboxes that cannot be written", .tags(.large))
struct UnwritableTests {
    @Test("Without write permission, commands that write fail and commands that only read succeed")
    func noRights() async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop, Scene.account)
        try await Stranger.lock(scene.sandbox.root.parent)
        try await Stranger.lock(scene.catalog.folder)
        let stranger = try await Stranger(scene.host, scene.sandbox.root, scene.catalog.folder)
        let lock = scene.sandbox.root.appending("Containers/Bundle/host.lock")
        for arguments in [
            ["install", Scene.orders], ["uninstall", Scene.account], ["rollback", Scene.shop],
            ["open", "app://orders"],
        ] {
            try await scene.refuses(
                arguments, by: stranger.executable, status: 74, code: "sandboxUnwritable",
                saying: "\"\(lock)\" cannot be read or written: locking it failed: Permission denied")
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
        guard geteuid() == 0 else {
            executable = Executable(host.hostapp.path, leading: options)
            return
        }
        for folder in ["bin", "lib", "share"] {
            try await Executable("/bin/cp").run(
                "-r", host.build.appending(folder).string, copy.appending(folder).string
            ).succeeded()
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
        try await Executable("/bin/chmod").run("-R", "a-w,a+rX", path.string).succeeded()
    }
}
