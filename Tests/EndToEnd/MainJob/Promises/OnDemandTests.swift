import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Installs on demand, pins and unneeded libraries", .tags(.large))
    struct OnDemandTests {
        @Test("A plugin that was uninstalled by name is installed on demand only after a confirmation on a terminal")
        func uninstalled() async throws {
            let fixture = try await Scene(installed: account)
            try await fixture.run("uninstall", account)
            let refusal = try await fixture.refusal("open", "app://account", status: 77)
            #expect(refusal.code == "installNotAllowed" && refusal.subject == account, "\(refusal)")
            #expect(refusal.remedy == "run \"hostapp install \(account)\", and try again")
            for (reply, status) in [("n", 77), ("yes", 0)] as [(String, Int32)] {
                let process = try fixture.host.hostapp.startOnTerminal(["open", "app://account"])
                try await process.wait(for: "Install \(account)@1.0.0, which was uninstalled by name? [y/N] ")
                try await process.send(reply + "\n")
                #expect(try await process.result().status == status)
            }
            #expect(try await fixture.run("list").stdout.contains(account))
        }

        @Test(
            "With --no-install, nothing is installed on demand",
            arguments: [["open", "app://account"], ["call", "Account", "isSignedIn"]])
        func never(words: [String]) async throws {
            let fixture = try Scene()
            let result = try await fixture.host.hostapp.run(words + ["--no-install"])
            #expect(result.status == 77 && result.stderr.contains("--no-install forbids it"), "\(result)")
            #expect(try fixture.sandbox.tree().isEmpty)
            let shell = try await fixture.host.hostapp.run("shell", "app://account", "--no-install", input: "quit\n")
            #expect(shell.stderr.contains("--no-install forbids it"), "\(shell)")
        }
    }
}
