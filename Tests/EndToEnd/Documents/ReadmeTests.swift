import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The README")
struct ReadmeTests {
    /// The blocks of the chapter on writing a plugin, as they stand there.
    private struct Chapter {
        /// Source, manifest, package, and the commands from there to the plugin's page.
        let plugin: (source: String, manifest: String, package: String, commands: String)
        /// The same for a library, and how the plugin is changed to use it.
        let library: (source: String, manifest: String, package: String, change: String, commands: String)

        init(of readme: String) throws {
            let chapter = try #require(readme.components(separatedBy: "## A plugin in ten lines\n").last)
            let parts = chapter.components(separatedBy: "### A library that plugins share\n")
            let plugin = Self.blocks(in: parts[0])
            let library = Self.blocks(in: try #require(parts.last).components(separatedBy: "\n### ")[0])
            try #require(parts.count == 2 && plugin.count == 4 && library.count == 5)
            self.plugin = (plugin[0], plugin[1], plugin[2], plugin[3])
            self.library = (library[0], library[1], library[2], library[3], library[4])
        }

        private static func blocks(in text: String) -> [String] {
            text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map { block in
                String(block.element.drop { $0 != "\n" }.dropFirst())
            }
        }
    }

    /// A checkout called `atrium` in a folder of its own, where what the README tells is done beside it.
    private struct Workshop {
        let folder: ThrowawayFolder
        let checkout: FilePath
        private let shell: Executable

        init(_ host: HostApp) throws {
            folder = try ThrowawayFolder()
            checkout = folder.appending("atrium")
            try FileManager.default.createDirectory(atPath: checkout.string, withIntermediateDirectories: true)
            for (name, place) in [
                ("build", host.build.string), ("Packages", ReadmeTests.house.appending(path: "Packages").path),
            ] {
                try FileManager.default.createSymbolicLink(
                    atPath: checkout.appending(name).string, withDestinationPath: place)
            }
            // SwiftPM leaves files in the temporary folder.
            let temporary = folder.appending("temporary").string
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            let data = ["XDG_DATA_HOME": folder.appending("data").string, "TMPDIR": temporary]
            let environment = ProcessInfo.processInfo.environment.merging(data) { $1 }
            shell = Executable("/bin/sh", leading: ["-e", "-c"], environment: environment)
        }

        func does(_ commands: String) async throws -> ProcessResult {
            try await shell.run(commands, folder: checkout, timeout: .seconds(900))
        }

        /// Makes a change that is written as lines with `-` and what stands in their place with `+`, file by file.
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

    static let house = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    @Test("tells how to write a plugin and a library: what it shows is built, packed, trusted, installed and opened")
    func recipes() async throws {
        let host = try HostApp.find()
        let chapter = try Chapter(of: String(contentsOf: Self.house.appending(path: "README.md"), encoding: .utf8))
        let workshop = try Workshop(host)
        let folder = workshop.folder
        try folder.write(chapter.plugin.package, to: "Hello/Package.swift")
        try folder.write(chapter.plugin.manifest, to: "Hello/manifest.json")
        try folder.write(chapter.plugin.source, to: "Hello/Sources/Hello/Hello.swift")

        for step in ["keygen", "build", "pack", "trust add", "install", "open"] {
            #expect(chapter.plugin.commands.contains(" \(step) "), "\(step)")
        }
        let result = try await workshop.does(chapter.plugin.commands)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.stdout.hasSuffix("Installed org.example.hello@1.0.0.\nHello\n=====\nHello from a plugin.\n"),
            "\(result)")

        // What the words around it say: a host that was not told of the team lets nothing of it in, by name or by address.
        let stranger = host.with(sandbox: try ThrowawaySandbox())
        let package = folder.appending("Hello/catalog/org.example.hello-1.0.0.zip").string
        let refused = try await stranger.run("install", package, "--json")
        #expect(refused.status == 77 && refused.stdout.contains(#""code": "teamUnknown""#), "\(refused)")
        let catalog = ["--catalog", folder.appending("Hello/catalog").string]
        let opened = try await host.hostapp.run(
            catalog + ["--sandbox", folder.appending("other").string, "open", "app://hello"])
        #expect(opened.status == 77 && opened.stdout == "", "\(opened)")
        // In a sandbox that has nothing but the trust: what was uninstalled by name would not come back by itself.
        let empty = "build/bin/hostapp --sandbox ../Hello/empty"
        let trusted = try await workshop.does(
            "\(empty) trust add org.example --key ../Hello/team.pub --prefix org.example")
        try #require(trusted.status == 0, "\(trusted)")
        let again = try await workshop.does("\(empty) --catalog ../Hello/catalog open app://hello")
        #expect(again.stdout == "Hello\n=====\nHello from a plugin.\n", "\(again)")

        try folder.write(chapter.library.package, to: "Greeting/Package.swift")
        try folder.write(chapter.library.manifest, to: "Greeting/manifest.json")
        try folder.write(chapter.library.source, to: "Greeting/Sources/Greeting/Greeting.swift")
        try workshop.change("Hello", by: chapter.library.change)
        let shared = try await workshop.does(chapter.library.commands)
        #expect(shared.status == 0, "\(shared)")
        #expect(shared.stdout.hasSuffix("Hello\n=====\nHello, reader, from a library.\n"), "\(shared)")
        let listed = try await workshop.does("build/bin/hostapp list --json")
        #expect(listed.stdout.contains("org.example.greeting"), "\(listed)")
    }

    @Test(
        "names only files and folders that are there, and so does ARCHITECTURE",
        arguments: ["README.md", "ARCHITECTURE.md"])
    func paths(document: String) throws {
        let house = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let text = try String(contentsOf: house.appending(path: document), encoding: .utf8)
        let whole = /`((?:Packages|Plugins|HostApp|Tests|Scripts)(?:\/[A-Za-z0-9_.+-]+)*)\/?`/
        let paths = text.matches(of: whole).map { String($0.output.1) }.filter { !$0.hasPrefix("Plugins/Hello") }
        #expect(!paths.isEmpty)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: house.appending(path: path).path), "\(path)")
        }
        // A path whose middle is left out is known by its file's name.
        let sources = try Self.sources(of: house)
        for name in text.matches(of: /([A-Za-z0-9+]+\.swift)`/).map({ String($0.output.1) })
        where !["Hello.swift", "Greeting.swift"].contains(name) {
            #expect(sources.contains(name), "\(name)")
        }
    }

    @Test("ARCHITECTURE tells each step of a bundle's life with the file and the function that does it")
    func steps() throws {
        let house = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let text = try String(contentsOf: house.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
        let chapter = try #require(text.components(separatedBy: "## The life of a bundle\n").last)
            .components(separatedBy: "\n## ")[0]
        let steps = chapter.split(separator: /\n(?=[0-9]+\. )/).dropFirst()
        #expect(steps.count == 12)
        let reference = /`(?:Tools\/\.\.\.\/)?([A-Za-z0-9+\/]+\.swift):([A-Za-z]+)`/
        for step in steps { #expect(step.contains(reference), "\(step)") }
        let references = chapter.matches(of: reference)
        #expect(references.count >= 30)
        // A file of the chapter without its function would be out of the test's sight.
        #expect(!chapter.contains(/\.swift`/))
        let folders = ["Packages/Runtime/Sources/PluginRuntime", "Packages/Tools/Sources/BundleTool"]
        for match in references {
            let (path, function) = (String(match.output.1), String(match.output.2))
            let file = folders.map { house.appending(path: "\($0)/\(path)") }
                .first { FileManager.default.fileExists(atPath: $0.path) }
            let source = try String(contentsOf: #require(file, "\(path)"), encoding: .utf8)
            let isThere =
                function == "init"
                ? source.contains(/\binit\??\(/) : source.contains(try Regex("func \(function)\\b"))
            #expect(isThere, "\(path) has no \(function)")
        }
    }

    /// The names of all sources.
    private static func sources(of house: URL) throws -> Set<String> {
        var names: Set = ["Package.swift"]
        for folder in ["Packages", "Plugins", "HostApp", "Tests"] {
            let files = try #require(FileManager.default.enumerator(atPath: house.appending(path: folder).path))
            for case let path as String in files where path.hasSuffix(".swift") && !path.contains(".build/") {
                names.insert(String(path.split(separator: "/").last ?? ""))
            }
        }
        return names
    }
}
