import Foundation
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Links between the app and the system", .tags(.large))
    struct LinkTests {
        private static let shop = "com.example.app.shop"

        /// A user with folders of its own and a system that knows no other programs.
        private struct User {
            let folder: ThrowawayFolder
            let fixture: HostFixture

            init() async throws {
                folder = try ThrowawayFolder()
                fixture = try await HostFixture(with: "\(LinkTests.shop)@1.1.0")
                let script = "#!/bin/sh\necho \"$1\" >> \"\(folder.path)/opened\"\n"
                try folder.write(script, to: "bin/xdg-open")
                try folder.write("#!/bin/sh\nshift\nexec \"$@\"\n", to: "bin/terminal")
                for name in ["xdg-open", "terminal"] {
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o755], ofItemAtPath: folder.appending("bin/\(name)").string)
                }
            }

            var environment: [String: String] {
                [
                    "HOME": folder.path.string, "XDG_DATA_HOME": folder.appending("data").string,
                    "XDG_CONFIG_HOME": folder.appending("config").string,
                    "XDG_DATA_DIRS": folder.appending("none").string, "XDG_CURRENT_DESKTOP": "",
                    // xdg-open asks for programs only where there is a display, and runs ours in this terminal.
                    "DISPLAY": ":nobody", "TERMINAL": folder.appending("bin/terminal").string,
                    "BROWSER": "/bin/false", "NO_COLOR": "1",
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

            func click(_ link: String) async throws -> ProcessResult {
                try await Executable("/usr/bin/xdg-open").run([link], environment: environment)
            }
        }

        @Test("After links register, the system opens a link of the app, which reaches only what is exposed to links")
        func registered() async throws {
            let user = try await User()
            #expect(try await user.run("links", "status").status == 1)
            let registered = try await user.run("links", "register")
            #expect(registered.status == 0, "\(registered)")
            let status = try await user.run("links", "status")
            #expect(status.status == 0 && status.stdout.contains("app: links open with hostapp.desktop."), "\(status)")

            let page = try await user.click("app://shop/item/42?from=web")
            #expect(page.status == 0 && page.stdout.contains("Desk lamp"), "\(page)")
            let hidden = try await user.click("app://shop/deals")
            #expect(hidden.status != 0, "\(hidden)")
            #expect(hidden.stderr.contains("\"app://shop/deals\" is not exposed to the caller"), "\(hidden)")

            #expect(try await user.run("links", "unregister").status == 0)
            let gone = try await user.click("app://shop/item/42")
            #expect(gone.status != 0 && !gone.stdout.contains("Desk lamp"), "\(gone)")
        }

        @Test("A second host hands its link to the one that runs, which opens it as a link from outside")
        func handedOver() async throws {
            let user = try await User()
            let shell = try user.fixture.host.startOnTerminal("shell", "app://shop", environment: user.environment)
            try await shell.wait(for: "\r\n> ")
            let handed = try await user.run("open", "--external", "app://shop/item/42?from=mail")
            #expect(handed.status == 0 && handed.stdout == "Handed to the running app.\n", "\(handed)")
            let page = try await shell.wait(for: "Desk lamp")
            #expect(page.contains("A link from outside: app://shop/item/42?from=mail"), "\(page)")
            try await shell.wait(for: "> ")
            let hidden = try await user.run("open", "--external", "app://shop/deals", "--json")
            #expect(hidden.status == 0 && hidden.stdout.contains("\"handedOver\": true"), "\(hidden)")
            try await shell.wait(for: "is not exposed")
            // Nothing is asked in the middle of the user's typing, and nothing leaves the app.
            _ = try await user.run("open", "--external", "https://example.com/")
            try await shell.wait(for: "was not passed on to the system")
            try await shell.send("pages\n")
            try await shell.wait(for: "Desk lamp\r\n> ")
            try await shell.send("quit\n")
            #expect(try await shell.result().status == 0)
            let own = try await user.run("open", "--external", "app://shop/item/42")
            #expect(own.status == 0 && own.stdout.contains("Desk lamp"), "\(own)")
        }

        @Test("After the running host was killed, a link opens by itself, and the next host listens again")
        func killed() async throws {
            let user = try await User()
            for _ in 0..<2 {
                let shell = try user.fixture.host.startOnTerminal("shell", "app://shop", environment: user.environment)
                try await shell.wait(for: "\r\n> ")
                let handed = try await user.run("open", "--external", "app://shop/item/42")
                #expect(handed.stdout == "Handed to the running app.\n", "\(handed)")
                try await shell.wait(for: "Desk lamp")
                shell.kill()
                _ = try await shell.result()
                let own = try await user.run("open", "--external", "app://shop/item/42")
                #expect(own.status == 0 && own.stdout.contains("Desk lamp"), "\(own)")
            }
        }

        @Test("A shell that reads commands from a pipe receives no links")
        func pipe() async throws {
            let user = try await User()
            let shell = try user.fixture.host.hostapp.start(["shell", "app://shop"], environment: user.environment)
            try await shell.wait(for: "(gift)")
            let own = try await user.run("open", "--external", "app://shop/item/42")
            #expect(own.stdout.contains("Desk lamp"), "\(own)")
            #expect(try await shell.end().status == 0)
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
            let left = user.fixture.sandbox.root.appending("Containers/Bundle/Plugins/\(Self.shop)/9.9.9-abc").string
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
    }
}
