import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("A team's own host, built from the SDK alone", .tags(.large), .timeLimit(.minutes(5)))
struct EmbeddedHostTests {
    /// Account, whose page does to the host what the address says.
    private static let library = Task {
        try await compiled(
            routes: """
                Route(PageRoute<NoValue>("account", name: "home")) { _, _, request in
                    let deed = request.uri.parameters["at"] ?? ""
                    if deed == "exit" { exit(0) }
                    atexit { _ = UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
                    return SamplePage("Moon") {
                        while deed == "draw" { usleep(1000) }
                        return ""
                    }
                }
                """)
    }

    @Test(
        "The sample of 20 lines builds, installs the plugin of an address, prints its page, and keeps what its plugins do apart"
    )
    func sample() async throws {
        let source = try Workplace.root.appending("Samples/EmbeddedHost/Sources/EmbeddedHost/main.swift").text
        #expect(source.split(separator: "\n").count <= 20 && source.components(separatedBy: "import ").count == 2)
        let (author, scene) = (try await Workplace(), try Scene())
        try await author.copy(author.sdk.appending("samples/EmbeddedHost"), to: "EmbeddedHost")
        let built = try await author.run("bundletool", ["build", "EmbeddedHost"])
        #expect(built.stdout.hasSuffix("/EmbeddedHost\n"), "\(built)")
        // The toolset that this has written is all that SwiftPM needs.
        let swift = Executable("/usr/bin/env", leading: ["swift", "build", "--package-path"])
        let package = author.folder.appending("EmbeddedHost").string
        let again = try await swift.run(
            package, "--toolset", package + "/.build/atrium/toolset.json",
            environment: ["HOME": author.folder.appending("home").string])
        #expect(again.status == 0, "\(again)")

        let trust = try HostApp.find().build.appending("share/atrium/trust.json").text
        let key = try #require(trust.firstMatch(of: /"key": "([^"]+)"/)).1
        let host = author.program(at: "EmbeddedHost/.build/debug/EmbeddedHost")
        func open(_ uri: String, in sandbox: String = "sandbox", by team: String = "com.example") async throws
            -> ProcessResult
        {
            let folders = [author.folder.appending(sandbox).string, scene.catalog.folder.string]
            return try await host.run(folders + [team, String(key), uri])
        }
        let opened = try await open("app://account")
        #expect(opened.status == 0 && opened.stdout == "Account\nNobody is signed in.\n", "\(opened)")
        let refused = try await open("app://account", in: "other", by: "com.example.other")
        #expect(refused.status == 1 && refused.stdout.contains("teamUnknown"), "\(refused)")

        // A new version that ends the process twice is left at the next start.
        try scene.offer("1.9.0", with: await Self.library.value)
        for _ in 0..<2 {
            let ended = try await open("app://account?at=exit", in: "exit")
            #expect(ended.status == 70 && ended.stderr.contains("account@1.9.0 called exit()"), "\(ended)")
        }
        #expect(try await open("app://account", in: "exit").stdout == opened.stdout)
        // What a plugin has registered for the end of the process is not run, and a page that hangs is known as the plugin's.
        let last = try await open("app://account", in: "last")
        #expect(last.status == 0 && last.stdout == "Moon\n", "\(last)")
        let hung = try await open("app://account?at=draw", in: "last")
        #expect(hung.status == 70 && hung.stderr.contains("com.example.app.account@1.9.0: "), "\(hung)")
    }
}
