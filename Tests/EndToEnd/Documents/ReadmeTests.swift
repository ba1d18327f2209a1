import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The README")
struct ReadmeTests {
    /// The blocks of the chapter on writing a plugin: source, manifest, package.
    private struct Chapter {
        let source: String
        let manifest: String
        let package: String

        init(of readme: String) throws {
            let chapter = try #require(readme.components(separatedBy: "## A plugin in ten lines\n").last)
            let blocks = chapter.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map {
                block in
                block.element.drop { $0 != "\n" }.dropFirst()
            }
            source = String(try #require(blocks.first))
            manifest = String(try #require(blocks.dropFirst().first))
            package = String(try #require(blocks.dropFirst(2).first))
        }
    }

    @Test("tells how to write a plugin: what it shows builds, packs, installs and opens")
    func plugin() async throws {
        let host = try HostApp.find()
        let house = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let chapter = try Chapter(of: String(contentsOf: house.appending(path: "README.md"), encoding: .utf8))
        let folder = try ThrowawayFolder()
        // As in the README, but elsewhere: the way to Core is the only thing that differs.
        let core = house.appending(path: "Packages/Core").path
        let package = chapter.package.replacingOccurrences(of: "../atrium/Packages/Core", with: core)
        #expect(package != chapter.package)
        try folder.write(package, to: "Hello/Package.swift")
        try folder.write(chapter.manifest, to: "Hello/manifest.json")
        try folder.write(chapter.source, to: "Hello/Sources/Hello/Hello.swift")

        let plugin = folder.appending("Hello").string
        let swift = Executable("/usr/bin/env", leading: ["swift"], environment: ProcessInfo.processInfo.environment)
        let built = try await swift.run("build", "--package-path", plugin, timeout: .seconds(240))
        try #require(built.status == 0, "\(built.stdout)\(built.stderr)")
        let catalog = folder.appending("catalog").string
        let packed = try await host.bundletool.run(
            "pack", plugin, "--library", "\(plugin)/.build/debug/libHello.so", "--output", catalog
        )
        try #require(packed.status == 0, "\(packed.stderr)")
        let sandbox = folder.appending("sandbox").string
        let opened = try await host.run("--sandbox", sandbox, "--catalog", catalog, "open", "app://hello")
        #expect(opened.status == 0)
        #expect(opened.stdout == "Hello\n=====\nHello from a plugin.\n")
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
        for name in text.matches(of: /([A-Za-z0-9+]+\.swift)`/).map({ String($0.output.1) }) where name != "Hello.swift"
        {
            #expect(sources.contains(name), "\(name)")
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
