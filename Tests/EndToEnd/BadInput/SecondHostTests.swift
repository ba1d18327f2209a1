import PluginCore
import PluginTestKit
import Testing

@Suite("Two hosts on one sandbox", .tags(.large))
struct SecondHostTests {
    @Test("While a host changes the sandbox, another cannot, and is told which process has locked it and since when")
    func refused() async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop, Scene.account)
        try await scene.run("rollback", Scene.shop)
        // Without this, the rollback would prevent the update.
        try await scene.run("unpin", Scene.shop)
        // With -D, strace is a grandchild of the test and the host its child. The signal stops the host after it has moved the
        // bundle to its final folder and before it has recorded it in the registry.
        let strace = Executable(
            "/usr/bin/env",
            leading: [
                "strace", "-D", "-f", "-qq", "-e", "trace=rename,renameat,renameat2", "-e",
                "inject=rename,renameat,renameat2:signal=SIGSTOP:when=1",
            ] + scene.commandLine)
        let writer = try strace.start(["install", Scene.orders])
        try await writer.wait(forError: "stopped by SIGSTOP")
        let lock = "Containers/Bundle/host.lock"
        let owner = String(decoding: try scene.bytes(of: lock), as: UTF8.self).prefix { $0 != "\n" }
        #expect(owner.hasPrefix("process \(writer.identifier), hostapp install \(Scene.orders), since "))
        #expect(try owner.suffix(17).wholeMatch(of: Regex(#", since \d\d:\d\d:\d\dZ"#)) != nil)
        for arguments in [
            ["install", Scene.orders], ["update"], ["rollback", Scene.shop], ["uninstall", Scene.account],
            ["gc"],
        ] {
            try await scene.refuses(arguments, status: 75, code: "sandboxBusy", saying: "\(owner) is changing it")
        }
        // Commands that change nothing do not wait.
        try await scene.run("open", "app://account")
        #expect(try await !scene.run("list").stdout.contains(Scene.orders))

        writer.signal(18)
        #expect(try await writer.result().status == 0)
        #expect(try await scene.run("list").stdout.contains(Scene.orders))
        #expect(try !scene.sandbox.tree().files.contains(lock))
        try await scene.run("update")
    }
}
