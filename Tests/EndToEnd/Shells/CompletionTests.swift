import Foundation
import PluginCore
import PluginTestKit
import TestServer
import Testing

@Suite("Completion in shells", .tags(.large), .timeLimit(.minutes(5)))
struct CompletionTests {
    private let home: ShellHome

    init() async throws { home = try await ShellHome() }

    /// The beginning of a line, and the line after the tab key in Bash; Zsh does not quote colons.
    private static let rows = [
        ("hostapp ins", "hostapp install "), ("hostapp uninstall --del", "hostapp uninstall --delete-data "),
        ("hostapp rollback com.example.app.sh", "hostapp rollback com.example.app.shop "),
        ("hostapp install com.example.app.shop@1.1", "hostapp install com.example.app.shop@1.1.0 "),
        ("hostapp open app://shop/it", "hostapp open app://shop/item/"),
        ("hostapp open 'app://shop/wel", "hostapp open 'app://shop/welcome' "),
        ("hostapp call Account isS", "hostapp call Account isSignedIn "),
        ("hostapp call app://Account/isS", "hostapp call app://Account/isSignedIn "),
        ("hostapp info it", #"hostapp info it\'s.zip "#), (#"hostapp install "p"#, #"hostapp install "p q.zip" "#),
        ("hostapp install co", "hostapp install co"),
        ("hostapp doctor --for-host co", #"hostapp doctor --for-host co\:lon.zip "#),
        ("hostapp --sandbox gr", "hostapp --sandbox grün/"), ("hostapp --sandbox=a", #"hostapp --sandbox=a\ b/"#),
        ("bundletool inspect p", #"bundletool inspect p\ q.zip "#),
        ("bundletool new X --kind as", "bundletool new X --kind assets "),
    ]

    @Test(
        "The tab key completes commands, options, identifiers, versions, addresses, actions and files",
        arguments: ShellHome.Shell.allCases)
    func keys(shell: ShellHome.Shell) async throws {
        let process = try await home.start(shell)
        for (typed, expected) in Self.rows {
            let line = try await home.completed(typed, in: process)
            #expect(line == (shell == .bash ? expected : expected.replacing("\\:", with: ":")), "\(typed)")
        }
        try await process.send("exit\n")
        _ = try await process.result()
    }

    @Test("Fish lists the same, with descriptions")
    func fish() async throws {
        for (line, expected) in [
            ("hostapp ins", ["install\tInstall plugins, with everything they require."]),
            ("hostapp open app://shop/it", ["app://shop/item/"]),
            ("hostapp open 'app://shop/wel", ["app://shop/welcome"]),
            ("hostapp install com.example.app.shop@", ["com.example.app.shop@1.0.0", "com.example.app.shop@1.1.0"]),
            ("hostapp call Account isS", ["isSignedIn"]), ("hostapp info it", ["it's.zip"]),
            ("hostapp --sandbox=a", ["--sandbox=a b/"]), ("hostapp --sandbox gr", ["grün/"]),
            ("hostapp doctor --for-host co", ["co:lon.zip"]),
            ("hostapp rollback com.example.app.sh", ["com.example.app.shop"]),
            ("bundletool inspect p", ["p q.zip"]), ("bundletool new X --kind as", ["assets"]),
        ] {
            #expect(try await home.fish(line) == expected)
        }
    }

    @Test("Completion creates and changes nothing, and says nothing when something is wrong")
    func silence() async throws {
        func answer(_ words: String...) async throws -> String {
            let result = try await home.host.hostapp.run(["__complete", "fish"] + words, environment: home.environment)
            #expect(result.status == 0 && result.stderr.isEmpty, "\(result)")
            return result.stdout
        }
        func state() async throws -> String {
            try await Executable("/usr/bin/find").run(
                [home.sandbox.string, "-printf", "%p %s %T@ %C@ %i\n"]).succeeded().stdout
        }
        let before = try await state()
        #expect(try await answer("uninstall", "").contains("com.example.app.shop"))
        #expect(try await answer("open", "app://").contains("app://shop/item/"))
        #expect(try await answer("install", "com.").contains("com.example.app.orders"))
        #expect(try await answer("trust", "revoke", "").contains("com.example"))
        #expect(try await state() == before)

        let absent = home.files.appending("absent")
        #expect(try await answer("--sandbox", absent.string, "uninstall", "com") == "none\n\ncom\n")
        #expect(!absent.exists)
        let text = home.files.appending("other.txt").string
        #expect(
            try await answer("--sandbox", text, "--catalog", text, "--composition", text, "why", "c") == "none\n\nc\n")
        #expect(try await answer("--catalog", "https://127.0.0.1:1/x", "install", "com.") == "files *.zip\n\ncom.\n")
        #expect(try await answer("nothing", "") == "none\n\n\n")
    }

    @Test("A catalog on a server is completed from its last refresh, without the server")
    func published() async throws {
        let (fixture, server) = try await PublishedFixture.served()
        try await fixture.run("catalog")
        let count = server.requests.count
        let words = ["--sandbox", fixture.sandbox.root.string, "install", "com.example.app.shop@"]
        let found = try await fixture.build.hostapp.run(["__complete", "fish"] + words).stdout
        #expect(found.contains("\ncom.example.app.shop@1.1.0\n"), "\(found)")
        #expect(server.requests.count == count)
        let published = ["revoke", "--to", fixture.repository.string, "com.example.app.shop@"]
        let versions = try await fixture.build.bundletool.run(["__complete", "fish"] + published).lines.dropFirst(3)
        #expect(versions == ["com.example.app.shop@1.0.0", "com.example.app.shop@1.1.0"])
    }
}
