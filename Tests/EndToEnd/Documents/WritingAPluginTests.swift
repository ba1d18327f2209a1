import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The page on writing a plugin", .tags(.large))
struct WritingAPluginTests {
    /// The code blocks of two chapters, in order.
    private struct Recipes {
        /// Source, manifest, package, and the commands from there to the plugin's page.
        let plugin: (source: String, manifest: String, package: String, commands: String)
        /// The same for a library, and how the plugin is changed to use it.
        let library: (source: String, manifest: String, package: String, change: String, commands: String)

        init() throws {
            let page = try DocumentPage("Documentation/WritingAPlugin.md")
            let plugin = try page.blocks(in: "The plugin")
            let library = try page.blocks(in: "A library that plugins share")
            try #require(plugin.count == 4 && library.count == 5)
            self.plugin = (plugin[0], plugin[1], plugin[2], plugin[3])
            self.library = (library[0], library[1], library[2], library[3], library[4])
        }
    }

    /// A checkout called `atrium` in a folder of its own, so that the commands of the page run beside it.
    private struct Workshop {
        let folder: ThrowawayFolder
        let checkout: FilePath
        private let shell: Executable

        init(_ host: HostApp) async throws {
            folder = try ThrowawayFolder()
            checkout = folder.appending("atrium")
            try FileManager.default.createDirectory(atPath: checkout.string, withIntermediateDirectories: true)
            for (name, place) in [
                ("build", host.build.string), ("Packages", DocumentPage.root.appending(path: "Packages").path),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: checkout.appending(name).string, withDestinationPath: place)
            }
            // SwiftPM leaves files in the temporary folder.
            let temporary = folder.appending("temporary").string
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            let data = ["XDG_DATA_HOME": folder.appending("data").string, "TMPDIR": temporary]
            let environment = ProcessInfo.processInfo.environment.merging(data) { $1 }
                .merging(try await Workplace.sharedModules) { $1 }
            shell = Executable("/bin/sh", leading: ["-e", "-c"], environment: environment)
        }

        func does(_ commands: String) async throws -> ProcessResult {
            try await shell.run(commands, folder: checkout, timeout: .seconds(900))
        }

        /// Applies a change, written file by file as lines with `-` and their replacements with `+`.
        func change(_ project: String, by text: String) throws {
            // A file's name, and its changes: a line, and the lines that take its place.
            for part in text.components(separatedBy: "+++ ").dropFirst() {
                let lines = part.split(separator: "\n").map(String.init)
                let file = "\(project)/\(try #require(lines.first))"
                var content = try String(contentsOf: URL(filePath: folder.appending(file).string), encoding: .utf8)
                for change in "\n\(lines.dropFirst().joined(separator: "\n"))".components(separatedBy: "\n-")
                    .dropFirst()
                {
                    let lines = change.components(separatedBy: "\n+")
                    try #require(content.components(separatedBy: lines[0] + "\n").count == 2, "\(file): \(lines[0])")
                    content = content.replacing(lines[0] + "\n", with: lines.dropFirst().map { $0 + "\n" }.joined())
                }
                try folder.write(content, to: file)
            }
        }
    }

    @Test("The recipes for a plugin and a library build, pack, trust, install and open what they show")
    func recipes() async throws {
        let host = try HostApp.find()
        let recipes = try Recipes()
        let workshop = try await Workshop(host)
        let folder = workshop.folder
        try folder.write(recipes.plugin.package, to: "Hello/Package.swift")
        try folder.write(recipes.plugin.manifest, to: "Hello/manifest.json")
        try folder.write(recipes.plugin.source, to: "Hello/Sources/Hello/Hello.swift")

        for step in ["keygen", "build", "pack", "trust add", "install", "open"] {
            #expect(recipes.plugin.commands.contains(" \(step) "), "\(step)")
        }
        let result = try await workshop.does(recipes.plugin.commands)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.stdout.hasSuffix("Installed org.example.hello@1.0.0.\nHello\n=====\nHello from a plugin.\n"),
            "\(result)")

        // In a sandbox that has nothing but the trust: what was uninstalled by name would not come back by itself.
        let empty = "build/bin/hostapp --sandbox ../Hello/empty"
        try await workshop.does(
            "\(empty) trust add org.example --key ../Hello/team.pub --prefix org.example"
        ).succeeded()
        let again = try await workshop.does("\(empty) --catalog ../Hello/catalog open app://hello")
        #expect(again.stdout == "Hello\n=====\nHello from a plugin.\n", "\(again)")

        try folder.write(recipes.library.package, to: "Greeting/Package.swift")
        try folder.write(recipes.library.manifest, to: "Greeting/manifest.json")
        try folder.write(recipes.library.source, to: "Greeting/Sources/Greeting/Greeting.swift")
        try workshop.change("Hello", by: recipes.library.change)
        let shared = try await workshop.does(recipes.library.commands)
        #expect(shared.status == 0, "\(shared)")
        #expect(shared.stdout.hasSuffix("Hello\n=====\nHello, reader, from a library.\n"), "\(shared)")
        let listed = try await workshop.does("build/bin/hostapp list --json")
        #expect(listed.stdout.contains("org.example.greeting"), "\(listed)")
    }
}
