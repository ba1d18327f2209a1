import PluginCore
import PluginTestKit
import Testing

@Suite("A second host on one sandbox")
struct SecondHostTests {
    static func refusal(_ owner: RunningProcess) -> Refusal {
        Refusal(
            status: 77, code: "sandboxBusy", subject: "SANDBOX",
            message: "another host is using the sandbox \"SANDBOX\": process \(owner.identifier) works on it",
            remedy: "end the other host, or wait until it is done, and run the command again")
    }

    private func withShell(
        _ body: (Scene, RunningProcess) async throws -> Void
    ) async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.account)
        let shell = try scene.host.start("shell", "app://account")
        try await shell.wait(for: "(signIn)\n")
        try await body(scene, shell)
    }

    @Test("is refused what changes or runs plugins, and told who is there")
    func refused() async throws {
        try await withShell { scene, shell in
            for arguments in [
                ["install", Scene.orders], ["update"], ["rollback", Scene.shop], ["uninstall", Scene.account],
                ["open", "app://account"], ["open", "app://orders"],
            ] {
                try await scene.refuses(arguments, with: Self.refusal(shell))
            }
            let other = try await scene.host.run("shell", "app://account")
            #expect(other.status == 77)
            #expect(other.stderr == Self.refusal(shell).text(in: scene))
            #expect(other.stdout == "")
        }
    }

    @Test("may still read, and disturbs nobody")
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

    @Test("gets the sandbox when the first one is killed")
    func killed() async throws {
        try await withShell { scene, shell in
            shell.signal(9)
            #expect(try await shell.result().signal == 9)
            try await scene.does("install", Scene.orders)
            try await scene.does("open", "app://account")
            #expect(try !scene.sandbox.tree().files.contains { $0.hasSuffix("host.lock") })
        }
    }

    @Test("gets the sandbox when the first one has ended")
    func ended() async throws {
        try await withShell { scene, shell in
            #expect(try await shell.end().status == 0)
            try await scene.does("update")
        }
    }
}
