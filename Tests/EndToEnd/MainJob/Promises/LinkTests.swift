import Foundation
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Links that leave the app", .tags(.large))
    struct LinkTests {
        /// A user with folders of its own, and a program for links.
        private struct User {
            let folder: ThrowawayFolder
            let fixture: Scene

            init() async throws {
                folder = try ThrowawayFolder()
                fixture = try await Scene(installed: "\(Scene.shop)@1.1.0")
                let script = "#!/bin/sh\necho \"$1\" >> \"\(folder.path)/opened\"\n"
                try folder.write(script, to: "bin/xdg-open")
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755], ofItemAtPath: folder.appending("bin/xdg-open").string)
            }

            var environment: [String: String] {
                [
                    "HOME": folder.path.string, "XDG_DATA_HOME": folder.appending("data").string,
                    "XDG_CONFIG_HOME": folder.appending("config").string, "NO_COLOR": "1",
                ]
            }

            /// The environment in which xdg-open only writes down what it was given.
            var recording: [String: String] {
                environment.merging(["PATH": "\(folder.appending("bin")):/usr/bin:/bin"]) { $1 }
            }

            var opened: String? { text(of: "opened") }

            func text(of name: String) -> String? {
                try? String(contentsOfFile: folder.appending(name).string, encoding: .utf8)
            }

            func run(_ words: String...) async throws -> ProcessResult {
                try await fixture.host.hostapp.run(words, environment: environment)
            }
        }

        @Test("On a terminal, a web link shows where it leads, and is passed on after a yes only")
        func question() async throws {
            let user = try await User()
            let link = "https://bank.example@evil.example/\u{202E}x"
            for (answer, status) in [("n", 77), ("y", 0)] as [(String, Int32)] {
                let process = try user.fixture.host.startOnTerminal("open", link, environment: user.recording)
                let text = try await process.wait(for: "[y/N] ")
                #expect(text.contains("Link: https://bank.example@evil.example/%E2%80%AEx\r\n"), "\(text)")
                #expect(text.contains("Server: evil.example\r\n"), "\(text)")
                try await process.send("\(answer)\n")
                let result = try await process.result()
                #expect(result.status == status, "\(result)")
                #expect(user.opened == (answer == "y" ? "https://bank.example@evil.example/%E2%80%AEx\n" : nil))
            }
        }

        @Test("A web link that the system's program can't open is an error")
        func openerFails() async throws {
            let user = try await User()
            try user.folder.write("#!/bin/sh\nexit 3\n", to: "bin/xdg-open")
            let result = try await user.fixture.host.hostapp.run(
                ["open", "--system-links", "open", "https://example.com/"], environment: user.recording)
            #expect(result.status == 69, "\(result)")
        }

        @Test("doctor --fix asks on a terminal, and does only what was answered with yes")
        func doctor() async throws {
            let user = try await User()
            let left = user.fixture.sandbox.root.appending("Containers/Bundle/Plugins/\(Scene.shop)/9.9.9-abc").string
            try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
            let unasked = try await user.run("doctor", "--fix")
            #expect(unasked.status == 64 && FileManager.default.fileExists(atPath: left), "\(unasked)")
            for (answer, text) in [("", "Not done: hostapp gc"), ("y", "Done: hostapp gc")] {
                let process = try user.fixture.host.startOnTerminal("doctor", "--fix", environment: user.environment)
                let question = try await process.wait(for: "Run \"hostapp gc\"? [y/N] ")
                #expect(question.contains("9.9.9-abc: nothing needs it"), "\(question)")
                try await process.send("\(answer)\n")
                let result = try await process.result()
                #expect(result.stdout.contains(text) && result.status == 0, "\(result)")
                #expect(FileManager.default.fileExists(atPath: left) == answer.isEmpty)
            }
        }

        @Test("A host for web links that a host has started for one does not start the system's program again")
        func loop() async throws {
            let user = try await User()
            // The program for web links is the host itself.
            let host = user.fixture.host
            try user.folder.write(
                Array(
                    """
                    #!/bin/sh
                    echo "$1" >> "\(user.folder.path)/opened"
                    exec "\(host.hostapp.path)" --sandbox "\(user.fixture.sandbox.root)" --catalog "\(host.catalog)" \
                    open --external --system-links open "$1" > "\(user.folder.path)/inner" 2>&1

                    """.utf8), to: "bin/xdg-open")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: user.folder.appending("bin/xdg-open").string)
            let result = try await host.hostapp.run(
                ["open", "--system-links", "open", "https://example.com/"], environment: user.recording)
            // A host waits two seconds for the program, and on a busy machine the other host may need longer.
            let end = ContinuousClock.now + .seconds(60)
            var inner = ""
            while !inner.contains("the app had passed it on before, and the system has returned it") {
                try #require(ContinuousClock.now < end, "\(result), \(inner)")
                try await Task.sleep(for: .milliseconds(5))
                inner = user.text(of: "inner") ?? ""
            }
            #expect(user.opened == "https://example.com/\n", "\(result)")
        }
    }
}
