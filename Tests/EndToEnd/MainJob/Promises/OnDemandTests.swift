import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Installs on demand, pins and unneeded libraries", .tags(.large))
    struct OnDemandTests {
        @Test("A plugin that was uninstalled by name is installed on demand only after a confirmation on a terminal")
        func uninstalled() async throws {
            let fixture = try await HostFixture(with: account)
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
            let fixture = try HostFixture()
            let result = try await fixture.host.hostapp.run(words + ["--no-install"])
            #expect(result.status == 77 && result.stderr.contains("--no-install forbids it"), "\(result)")
            #expect(try fixture.sandbox.tree().isEmpty)
            let shell = try await fixture.host.hostapp.run("shell", "app://account", "--no-install", input: "quit\n")
            #expect(shell.stderr.contains("--no-install forbids it"), "\(shell)")
        }

        @Test("The composition can forbid installs on demand or require a confirmation", arguments: ["never", "ask"])
        func setting(rule: String) async throws {
            let fixture = try HostFixture()
            let folder = try ThrowawayFolder()
            try folder.write(
                #"{"formatVersion": 1, "name": "A", "installOnDemand": "\#(rule)", "bundles": []}"#, to: "bundle.json")
            let words = ["open", "app://account", "--composition", folder.path.appending("bundle.json").string]
            let refused = try await fixture.host.hostapp.run(words)
            #expect(refused.status == 77 && refused.stderr.contains("\"installOnDemand\""), "\(refused)")
            let process = try fixture.host.hostapp.startOnTerminal(words)
            if rule == "ask" {
                try await process.wait(for: "Install \(account)@1.0.0? [y/N] ")
                try await process.send("y\n")
            }
            #expect(try await process.result().status == (rule == "ask" ? 0 : 77))
        }

        @Test("A rollback prevents updates until unpin, and a pin keeps a plugin's version")
        func pins() async throws {
            let fixture = try await HostFixture(with: "\(shop)@1.0.0")
            try await fixture.run("update", shop)
            try await fixture.run("rollback", shop)
            let held = try await fixture.run("update", shop).stdout
            #expect(held.hasPrefix("\(shop)@1.0.0 stays: it was rolled back from 1.1.0"), "\(held)")
            try await fixture.run("unpin", shop)
            try await fixture.run("pin", "\(shop)@<1.1.0")
            let refusal = try await fixture.refusal("install", "\(shop)@1.1.0", status: 77)
            #expect(refusal.code == "pinned" && refusal.remedy.contains("hostapp unpin \(shop)"), "\(refusal)")
            #expect(try await fixture.run("update", shop).stdout.contains("it is pinned to <1.1.0"))
            let wrong = try await fixture.host.hostapp.run("pin", "\(shop)@latest")
            #expect(wrong.status == 64 && wrong.stderr.contains("com.example.app.shop@^1.0.0"), "\(wrong)")
            let typo = try await fixture.refusal("pin", "com.example.app.shpo", status: 66)
            #expect(typo.message.contains("did you mean \"\(shop)\"?"), "\(typo)")
            try await fixture.run("unpin", shop)
            #expect(try await fixture.run("update", shop).lines.first == "Updated \(shop) from 1.0.0 to 1.1.0.")
        }
    }
}
