import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

/// The code of the page "Your own host", compiled with the products that the tests use.
private struct OwnHost {
    let compiler: SnippetCompiler
    private let blocks: [String]

    var folder: ThrowawayFolder { compiler.folder }

    init() throws {
        blocks = try DocumentPage("HostApp/Sources/AppHost/AppHost.docc/YourOwnHost.md").allBlocks
        compiler = try SnippetCompiler()
    }

    /// Returns the code block that contains a text.
    func block(_ text: String) throws -> String {
        try #require(blocks.first { $0.contains(text) }, "the page has no block with \(text)")
    }

    /// Returns the object files that SwiftPM linked, one per line, without those of the main program.
    ///
    /// The build folder also contains object files of sources that were removed or renamed.
    private func objects() throws -> String {
        let list = compiler.products.appending("hostapp.product/Objects.LinkFileList").string
        let lines = String(decoding: try Data(contentsOf: URL(filePath: list)), as: UTF8.self).split(separator: "\n")
        return lines.filter { !$0.contains("/hostapp.build/") }.joined(separator: "\n")
    }

    /// Builds the host in `Acme/bin` with its libraries in `Acme/lib`.
    func buildHost(_ host: HostApp) async throws -> Executable {
        let shared = try FileManager.default.contentsOfDirectory(atPath: host.build.appending("lib").string)
            .filter { $0.hasSuffix(".so") }
        for name in shared {
            let library = try Data(contentsOf: URL(filePath: host.build.appending("lib/\(name)").string))
            try folder.write(library, to: "Acme/lib/\(name)")
        }
        for name in ["en.json", "zh-Hans.json", "completion.bash"].map({ "share/atrium/\($0)" }) {
            let texts = try Data(contentsOf: URL(filePath: host.build.appending(name).string))
            try folder.write(texts, to: "Acme/\(name)")
        }
        let libraries = folder.appending("Acme/lib").string
        try await compiler.compile(
            block("protocol AcmeClock"), as: "AcmeKit",
            [
                "-module-name", "AcmeKit", "-emit-library", "-enable-library-evolution", "-emit-module-path",
                folder.appending("AcmeKit.swiftmodule").string, "-o", libraries + "/libAcmeKit.so",
            ])
        let objects = try folder.write(objects(), to: "Objects.LinkFileList")
        try folder.appending("Acme/bin").makeFolder()
        let program = folder.appending("Acme/bin/acme")
        try await compiler.compile(
            block("HostConfiguration("), as: "acme", file: "main",
            ["-module-name", "acme", "-emit-executable", "-o", program.string, "@\(objects)"]
                + ["-L", libraries, "-lAcmeKit", "-lncursesw"] + shared.map { "-l\($0.dropFirst(3).dropLast(3))" }
                + ["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])
        return Executable(program, environment: ["XDG_DATA_HOME": folder.appending("data").string])
    }

    /// Builds the plugin's library beside the folder with its manifest.
    func buildPlugin() async throws -> FilePath {
        try folder.write(block("com.acme.today"), to: "Today/manifest.json")
        let library = folder.appending("libToday.so")
        try await compiler.compile(
            block("final class Today"), as: "Today",
            [
                "-module-name", "Today", "-emit-library", "-o", library.string, "-L",
                folder.appending("Acme/lib").string, "-lAcmeKit", "-lPluginCore",
            ])
        return library
    }
}

@Suite("The documentation page about building your own host", .tags(.large))
struct OwnHostTests {
    @Test("The host on the page builds, has its own name, and offers a library, a service and a target to a plugin")
    func sample() async throws {
        let (own, standard) = (try OwnHost(), try HostApp.find())
        let acme = try await own.buildHost(standard)
        let library = try await own.buildPlugin()
        let key = own.folder.appending("team").string
        try await standard.bundletool.run("keygen", "--output", key, "--no-password").succeeded()
        let trust = ["trust", "add", "com.acme", "--key", key + ".pub", "--prefix", "com.acme"]
        let catalog = own.folder.appending("catalog").string
        let pack = [
            "pack", own.folder.appending("Today").string, "--library", library.string, "--key", key + ".key", "--team",
            "com.acme", "--output", catalog,
        ]
        let unshown = try await standard.bundletool.run(pack)
        #expect(unshown.status != 0 && unshown.stderr.contains("libAcmeKit.so"), "\(unshown)")
        let kit = own.folder.appending("Acme/lib/libAcmeKit.so").string
        try await standard.bundletool.run(pack + ["--host-library", kit]).succeeded()

        try await acme.run(trust).succeeded()
        let opened = try await acme.run(["--catalog", catalog, "open"])
        #expect(opened.stdout == "Sunday, Ada\n===========\n", "\(opened)")
        // The data folder, the help, the version and the remedies contain the host's own name.
        #expect(own.folder.contains("data/acme/sandbox") && !own.folder.contains("data/atrium"))
        #expect(try await acme.run("--version").stdout.hasPrefix("acme 2.1.0 (Core ABI "))
        let help = try await acme.run("open", "--help").stdout
        #expect(help.contains("Usage: acme open") && !help.contains("hostapp"), "\(help)")
        let error = try await acme.run("lst").stderr
        #expect(error.contains("acme ") && !error.contains("hostapp"), "\(error)")
        // External links cannot call the host's target, and other hosts do not have it.
        let call = try await acme.run("call", "Acme", "user")
        #expect(call.stdout.contains("Ada"), "\(call)")
        let outside = try await acme.run("call", "--external", "app://Acme/user")
        #expect(outside.status == 77 && outside.stderr.contains("is not exposed to the caller"), "\(outside)")
        let place = ["--sandbox", own.folder.appending("sandbox").string]
        try await standard.hostapp.run(place + trust).succeeded()
        let foreign = try await standard.hostapp.run(place + ["--catalog", catalog, "open", "app://today"])
        #expect(foreign.status != 0 && foreign.stderr.contains("libAcmeKit.so"), "\(foreign)")
    }

    @Test("The page's code for an app without the command line compiles, and SwiftPM accepts its package")
    func embedding() async throws {
        let own = try OwnHost()
        let code = try own.block("await session.close()")
        try await own.compiler.compile(
            """
            import AppHost
            import Console
            import PluginCore
            import PluginRouter
            import PluginRuntime
            import Preflight
            import Processes
            import Registry
            import Trust
            import Resolver
            @MainActor func embed(
                _ sandbox: Sandbox, _ catalog: any PackageSource, _ trust: FilePath, _ services: HostServices
            ) async throws {
            \(code)
            }
            """, as: "Embed", ["-typecheck"])
        try own.folder.write(own.block("let package = Package("), to: "Package/Package.swift")
        let package = try await Executable("/usr/bin/env").run(
            "swift", "package", "--package-path", own.folder.appending("Package").string, "dump-package",
            environment: ["HOME": own.folder.path.string], timeout: .seconds(120))
        #expect(package.status == 0, "\(package)")
    }
}
