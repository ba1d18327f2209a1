import PluginCore
import PluginTestKit
import Testing

@Suite("Locks that the system cannot provide", .tags(.large))
struct LockFaultTests {
    /// Runs a command while one system call on one path fails for lack of locks.
    private func run(_ scene: Scene, without call: String, on path: String, _ words: String...) async throws -> String {
        let folder = try ThrowawayFolder()
        let strace = Executable(
            "/usr/bin/env",
            leading: [
                "strace", "-f", "-qq", "-e", "trace=\(call)", "-e", "inject=\(call):error=ENOLCK", "-P", path, "-o",
                folder.path.appending("log").string,
            ] + scene.commandLine)
        let result = try await strace.run(words)
        #expect(result.status == 74, "\(result)")
        return result.stderr
    }

    @Test("A lack of locks is reported as such, and neither as another host nor as a missing version")
    func words() async throws {
        let scene = try await Scene(installed: Scene.shop)
        let version = scene.path(try scene.shopFolder("1.1.0"))
        let open = try await run(scene, without: "flock", on: version, "open", "app://shop/item/42")
        #expect(open.contains("\(version)\": locking it failed: "))
        let lock = scene.sandbox.root.appending("Containers/Bundle/host.lock").string
        let uninstall = try await run(scene, without: "fcntl", on: lock, "uninstall", Scene.shop)
        #expect(uninstall.contains("\(lock)\": locking it failed: "))
        #expect(!uninstall.contains("another host"))
    }
}
