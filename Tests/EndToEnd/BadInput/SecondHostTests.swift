import PluginCore
import PluginTestKit
import Testing

@Suite("Two hosts on one sandbox", .tags(.large))
struct SecondHostTests {
    /// Runs a body with a scene in which a shell shows a page of Account.
    private func withShell(
        _ body: (Scene, RunningProcess) async throws -> Void
    ) async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.account)
        // A successful run is recorded in the background; this run ensures that the shell records none.
        try await scene.does("open", "app://account")
        let shell = try scene.host.start("shell", "app://account")
        try await shell.wait(for: "(signIn)\n")
        try await body(scene, shell)
    }

    /// Runs a body with a scene in which a host is stopped in the middle of installing Orders.
    private func withWriter(
        _ body: (Scene, RunningProcess) async throws -> Void
    ) async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop, Scene.account)
        try await scene.does("rollback", Scene.shop)
        // Without this, the rollback would prevent the update.
        try await scene.does("unpin", Scene.shop)
        // With -D, strace is a grandchild of the test and the host its child. The signal stops the host after it has moved the
        // bundle to its final folder and before it has recorded it in the registry.
        let strace = Executable(
            "/usr/bin/env",
            leading: [
                "strace", "-D", "-f", "-qq", "-e", "trace=rename,renameat,renameat2", "-e",
                "inject=rename,renameat,renameat2:signal=SIGSTOP:when=1", scene.host.hostapp.path.string, "--sandbox",
                scene.sandbox.root.string, "--catalog", scene.catalog.folder.string,
            ])
        let writer = try strace.start(["install", Scene.orders])
        try await writer.wait(forError: "stopped by SIGSTOP")
        try await body(scene, writer)
    }

    private static let lock = "Containers/Bundle/host.lock"

    @Test("While a host changes the sandbox, another cannot, and is told which process has locked it and since when")
    func refused() async throws {
        try await withWriter { scene, writer in
            let owner = String(decoding: try scene.bytes(of: Self.lock), as: UTF8.self).prefix { $0 != "\n" }
            #expect(owner.hasPrefix("process \(writer.identifier), hostapp install \(Scene.orders), since "))
            #expect(try owner.suffix(17).wholeMatch(of: Regex(#", since \d\d:\d\d:\d\dZ"#)) != nil)
            let refusal = Refusal(
                status: 75, code: "sandboxBusy", subject: "SANDBOX",
                message: "another host is using the sandbox \"SANDBOX\": \(owner) is changing it",
                remedy: "quit the other host, or wait until it finishes, and run the command again")
            for arguments in [
                ["install", Scene.orders], ["update"], ["rollback", Scene.shop], ["uninstall", Scene.account],
                ["gc"],
            ] {
                try await scene.refuses(arguments, with: refusal)
            }
            // Commands that change nothing do not wait.
            try await scene.does("open", "app://account")
            #expect(try await !scene.does("list").stdout.contains(Scene.orders))

            writer.signal(18)
            #expect(try await writer.result().status == 0)
            #expect(try await scene.does("list").stdout.contains(Scene.orders))
            #expect(try !scene.sandbox.tree().files.contains(Self.lock))
            try await scene.does("update")
        }
    }

    @Test("After a host was killed during a change, another can change the sandbox and removes the leftovers")
    func killed() async throws {
        try await withWriter { scene, writer in
            writer.signal(9)
            #expect(try await writer.result().signal == 9)
            let folder = try scene.folder(of: Scene.orders)
            #expect(try scene.sandbox.tree().paths.contains(folder))
            #expect(try await !scene.does("list").stdout.contains(Scene.orders))
            #expect(try await scene.does("gc").stdout.hasPrefix(scene.fill("Removed SANDBOX/\(folder).\n")))
            #expect(try !scene.sandbox.tree().paths.contains(folder))
            try await scene.does("install", Scene.orders)
            try await scene.does("open", "app://account")
            #expect(try !scene.sandbox.tree().files.contains(Self.lock))
        }
    }

    @Test("While a shell runs, another process can read the sandbox without changing it")
    func reading() async throws {
        try await withShell { scene, shell in
            let before = try scene.sandbox.tree()
            for arguments in [["list"], ["catalog"], ["info", Scene.account], ["history"]] {
                for arguments in [arguments, arguments + ["--json"]] {
                    let result = try await scene.host.hostapp.run(arguments)
                    #expect(result.status == 0)
                    #expect(result.stderr == "")
                }
            }
            #expect(before.changes(to: try scene.sandbox.tree()) == [])
            try await shell.send("pages\n")
            try await shell.wait(for: "Account\n")
            #expect(try await shell.end().status == 0)
        }
    }

    @Test("While a shell runs, another process and another shell can run the same plugins")
    func running() async throws {
        try await withShell { scene, shell in
            let before = try scene.sandbox.tree()
            #expect(try await scene.does("open", "app://account").stdout.hasPrefix("Account\n"))
            let other = try scene.host.start("shell", "app://account")
            try await other.wait(for: "(signIn)\n")
            for shell in [other, shell] {
                try await shell.send("pages\n")
                try await shell.wait(for: "Account\n")
                let result = try await shell.end()
                #expect(result.status == 0 && result.stderr == "")
            }
            #expect(before.changes(to: try scene.sandbox.tree()) == [])
        }
    }

    @Test("While a shell runs, another process can change the sandbox, and the shell uses the new versions")
    func changing() async throws {
        try await withShell { scene, shell in
            for (words, price) in [
                (["install", Scene.orders], "Price: €4.50\n"), (["update", Scene.shop], "Price: €3.50, was €4.50\n"),
                (["rollback", Scene.shop], "Price: €4.50\n"), (["uninstall", Scene.account], "Price: €4.50\n"),
            ] {
                let result = try await scene.host.hostapp.run(words)
                #expect(result.status == 0, "\(result)")
                try await shell.send("open app://shop/item/7\n")
                #expect(try await shell.wait(for: "(orders)\n").contains(price))
            }
            #expect(try await shell.end().status == 0)
        }
    }

    @Test("A version that a shell shows a page of is removed only after the shell has ended")
    func inUse() async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.account)
        let folder = try scene.folder(of: Scene.shop)
        let shell = try scene.host.start("shell", "app://shop/item/7")
        #expect(try await shell.wait(for: "(orders)\n").contains("Price: €4.50\n"))
        // After two updates, the registry no longer contains the first version.
        try await scene.does("update", Scene.shop)
        // The rollback target is the last version that has run.
        try await scene.does("open", "app://shop/item/7")
        try scene.catalog.pack(from: scene.catalog.folder.appending("\(Scene.shop)-1.1.0.zip")) {
            try $0.rename(version: "1.2.0")
        }
        try await scene.does("update", Scene.shop)
        let left = try await scene.does("gc")
        #expect(left.stdout == scene.fill("Kept SANDBOX/\(folder), which a running host uses.\n0 bytes freed.\n"))
        try await shell.send("buy\n")
        #expect(try await shell.wait(for: "(orders)\n").contains("Bought Notebook: order 1\n"))
        #expect(try scene.sandbox.tree().paths.contains(folder))

        #expect(try await shell.end().status == 0)
        let removed = try await scene.does("gc")
        #expect(removed.stdout.hasPrefix(scene.fill("Removed SANDBOX/\(folder).\n")))
        #expect(try !scene.sandbox.tree().paths.contains(folder))
    }
}
