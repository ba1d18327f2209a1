import PluginCore
import PluginTestKit
import Testing

import Glibc

extension MainJob {
    @Suite("Encrypted keys", .tags(.large))
    struct PasswordTests {
        private let fixture: TerminalFixture

        init() async throws { fixture = try await TerminalFixture() }

        /// A package, and a key with the password "open sesame".
        private struct TerminalFixture {
            let folder: ThrowawayFolder
            let tool: Executable
            let words: [String]

            init() async throws {
                let (folder, host) = (try ThrowawayFolder(), try HostApp.find())
                (self.folder, tool) = (folder, host.bundletool)
                try await host.bundletool.run(
                    "keygen", "-o", folder.appending("team").string, "--password-file", "-",
                    input: "open sesame\nmore\n"
                ).succeeded()
                words = [
                    "sign", host.catalog.appending("\(lantern)-1.0.0.zip").string, "-o",
                    folder.appending("signed.zip").string,
                    "--key", folder.appending("team.key").string, "--team", "com.example",
                ]
            }

            /// Returns whether the package is signed with the key.
            func isSigned() async throws -> Bool {
                let key = folder.appending("team.pub").string
                return try await tool.run("verify", folder.appending("signed.zip").string, "--key", key).status == 0
            }
        }

        @Test(
            "The password is read from the terminal without being shown, and a wrong one and Control-C end with an error",
            arguments: [("open sesame\r", 0), ("open\r", 77), ("\u{3}", 77)] as [(String, Int32)])
        func terminal(keys: String, status: Int32) async throws {
            let process = try fixture.tool.startOnTerminal(fixture.words)
            _ = try await process.wait(for: "team.key: ")
            try await process.send(keys)
            let result = try await process.result()
            #expect(result.status == status, "\(result)")
            #expect(!result.stdout.contains("sesame") && (status == 0 || result.stdout.contains("password")))
            #expect(try await fixture.isSigned() == (status == 0))
        }

        @Test("The password can be read from standard input, and without a terminal the error says so")
        func noTerminal() async throws {
            let alone = Executable("/usr/bin/setsid", leading: ["--wait", fixture.tool.path.string])
            let refused = try await alone.run(fixture.words + ["--json"])
            #expect(refused.status == 64, "\(refused)")
            #expect(try refused.refusal.code == "passwordNeeded")
            #expect(try refused.refusal.remedy.contains("--password-file -"))
            let signed = try await alone.run(fixture.words + ["--password-file", "-"], input: "open sesame\n")
            #expect(signed.status == 0, "\(signed)")
            #expect(try await fixture.isSigned())
        }

        @Test(
            "A signal during the password prompt restores the terminal's mode",
            arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM])
        func signals(number: Int32) async throws {
            let program = try WatchedProgram()
            let process = try Executable("/usr/bin/env").startOnTerminal(
                program.words([fixture.tool.path.string] + fixture.words))
            _ = try await process.wait(for: "team.key: ")
            kill(try program.number, number)
            let result = try await process.result()
            #expect(result.stdout.contains("ended with \(128 + number)"), "\(result)")
            program.expectSameMode()
        }
    }
}
