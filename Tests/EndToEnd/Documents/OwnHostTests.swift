import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The documentation page about building your own host", .tags(.large))
struct OwnHostTests {
    private let page: [String]

    init() throws { page = try DocumentPage("HostApp/Sources/AppHost/AppHost.docc/YourOwnHost.md").allBlocks }

    /// Returns the code block that contains a text.
    private func block(_ text: String) throws -> String {
        try #require(page.first { $0.contains(text) }, "the page has no block with \(text)")
    }

    @Test("The host on the page builds, has its own name, and offers a library, a service and a target to a plugin")
    func sample() async throws {
        let (author, standard) = (try await Workplace(), try HostApp.find())
        for (path, text) in [
            ("Packages/AcmeKit/Package.swift", "name: \"AcmeKit\","),
            ("Packages/AcmeKit/Sources/AcmeKit/AcmeClock.swift", "protocol AcmeClock"),
            ("HostApp/Package.swift", "name: \"HostApp\","), ("HostApp/Sources/acme/main.swift", "HostConfiguration("),
            ("Plugins/Today/Package.swift", "name: \"Today\",\n    products"),
            ("Plugins/Today/manifest.json", "com.acme.today\", \"version"),
            ("Plugins/Today/Sources/Today/Today.swift", "final class Today"), ("bundle.json", "\"bundles\""),
        ] {
            try author.folder.write(block(text), to: "Acme/\(path)")
        }
        // The commands on the page, one after the other.
        let lines = try block("bundletool build Acme").split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        try await author.run("bundletool", Array(lines[0].dropFirst()))
        let data = ["XDG_DATA_HOME": author.folder.appending("data").string]
        let acme = Executable(
            author.folder.appending(lines[1][0]), environment: author.environment.merging(data) { $1 })
        let opened = try await acme.run(Array(lines[1].dropFirst()))
        #expect(opened.stdout.hasSuffix("Sunday, Ada\n===========\n"), "\(opened)")
        // A host without the library refuses the plugin, and so does `pack` for such a host.
        let catalog = author.folder.appending("Acme/build/catalog").string
        let plugin = author.folder.appending("Acme/Plugins/Today").string
        let unshown = try await author.program("bundletool").run(
            "pack", plugin, "--library", plugin + "/.build/debug/libToday.so", "--output", catalog)
        #expect(unshown.status != 0 && unshown.stderr.contains("libAcmeKit.so"), "\(unshown)")
        let place = ["--sandbox", author.folder.appending("sandbox").string]
        let key = author.folder.appending("Acme/Keys/development.pub").string
        try await standard.hostapp.run(place + ["trust", "add", "com.acme", "--key", key, "--prefix", "com.acme"])
            .succeeded()
        let foreign = try await standard.hostapp.run(place + ["--catalog", catalog, "open", "app://today"])
        #expect(foreign.status != 0 && foreign.stderr.contains("libAcmeKit.so"), "\(foreign)")
        // The data folder, the help, the version and the remedies contain the host's own name.
        #expect(author.folder.contains("data/acme/sandbox") && !author.folder.contains("data/atrium"))
        #expect(try await acme.run("--version").stdout.hasPrefix("acme 2.1.0 (Core ABI "))
        for words in [["--help"], ["open", "--help"]] {
            let help = try await acme.run(words).stdout
            #expect(help.contains("Usage: acme") && !help.contains("hostapp") && !help.contains("atrium/"), "\(help)")
        }
        let error = try await acme.run("lst").stderr
        #expect(error.contains("acme ") && !error.contains("hostapp"), "\(error)")
        // External links cannot call the host's target.
        let call = try await acme.run("call", "Acme", "user")
        #expect(call.stdout.contains("Ada"), "\(call)")
        let outside = try await acme.run("call", "--external", "app://Acme/user")
        #expect(outside.status == 77 && outside.stderr.contains("is not exposed to the caller"), "\(outside)")
    }

    @Test("The page's code for an app without the command line compiles")
    func embedding() async throws {
        let code = try block("await session.close()")
        try await SnippetCompiler().compile(
            """
            import AppHost
            import Atrium
            import Console
            @MainActor func embed(_ folder: FilePath, _ packages: FilePath, _ key: String) async throws {
            \(code)
            }
            """, as: "Embed", ["-typecheck"])
    }
}
