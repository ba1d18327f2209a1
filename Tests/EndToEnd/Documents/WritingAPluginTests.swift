import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The page on writing a plugin", .tags(.large))
struct WritingAPluginTests {
    /// A checkout called `atrium` in a folder of its own, so that the commands of the page run beside it.
    private struct Workshop {
        let folder: ThrowawayFolder
        let checkout: FilePath
        private let shell: Executable

        init(_ host: HostApp) async throws {
            folder = try ThrowawayFolder()
            checkout = folder.appending("atrium")
            try checkout.makeFolder()
            for (name, place) in [
                ("build", host.build.string), ("Packages", DocumentPage.root.appending(path: "Packages").path),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: checkout.appending(name).string, withDestinationPath: place)
            }
            // SwiftPM leaves files in the temporary folder.
            let temporary = folder.appending("temporary")
            try temporary.makeFolder()
            let data = ["XDG_DATA_HOME": folder.appending("data").string, "TMPDIR": temporary.string]
            let environment = ProcessInfo.processInfo.environment.merging(data) { $1 }
                .merging(try await Workplace.sharedModules) { $1 }
            shell = Executable("/bin/sh", leading: ["-e", "-c"], environment: environment)
        }

        func does(_ commands: String) async throws -> ProcessResult {
            try await shell.run(commands, folder: checkout, timeout: .seconds(900)).succeeded()
        }

        /// Writes a project of the page: the code, the manifest and the package.
        func write(_ project: String, _ blocks: [String]) throws {
            let files = ["Sources/\(project)/\(project).swift", "manifest.json", "Package.swift"]
            for (block, file) in zip(blocks, files) {
                try folder.write(block, to: "\(project)/\(file)")
            }
        }

        /// Applies a change, written file by file as lines with `-` and their replacements with `+`.
        func change(_ project: String, by text: String) throws {
            // A file's name, and its changes: a line, and the lines that take its place.
            for part in text.components(separatedBy: "+++ ").dropFirst() {
                let lines = part.split(separator: "\n").map(String.init)
                let file = "\(project)/\(try #require(lines.first))"
                var content = try folder.appending(file).text
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
        let page = try DocumentPage("Documentation/WritingAPlugin.md")
        // The code, the manifest, the package, and the commands from there to the plugin's page.
        let plugin = try page.blocks(in: "The plugin")
        // The same for a library, and before the commands how the plugin is changed to use it.
        let library = try page.blocks(in: "A library that plugins share")
        try #require(plugin.count == 4 && library.count == 5)
        for step in ["keygen", "build", "pack", "trust add", "install", "open"] {
            #expect(plugin[3].contains(" \(step) "), "\(step)")
        }
        let workshop = try await Workshop(HostApp.find())
        try workshop.write("Hello", plugin)
        let result = try await workshop.does(plugin[3])
        #expect(
            result.stdout.hasSuffix("Installed org.example.hello@1.0.0.\nHello\n=====\nHello from a plugin.\n"),
            "\(result)")

        try workshop.write("Greeting", library)
        try workshop.change("Hello", by: library[3])
        let shared = try await workshop.does(library[4])
        #expect(shared.stdout.hasSuffix("Hello\n=====\nHello, reader, from a library.\n"), "\(shared)")
        let listed = try await workshop.does("build/bin/hostapp list --json")
        #expect(listed.stdout.contains("org.example.greeting"), "\(listed)")
    }
}
