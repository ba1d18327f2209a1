import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The page on writing an extension", .tags(.large))
struct WritingAnExtensionTests {
    private static let page =
        "Packages/PluginExtension/Sources/PluginExtension/PluginExtension.docc/WritingAnExtension.md"

    private func block(_ chapter: String) throws -> String {
        try #require(DocumentPage(Self.page).blocks(in: chapter).first)
    }

    @Test("The shared code, the extension, the plugin and the test of the page compile")
    func code() async throws {
        let compiler = try SnippetCompiler()
        let package = ["-package-name", "later", "-parse-as-library"]
        for (chapter, name) in [
            ("The shared data", "LaterStorage"), ("The extension", "LaterShare"), ("The plugin", "Later"),
        ] {
            try await compiler.module(block(chapter), as: name, package)
        }
        try await compiler.compile(
            block("Tests"), as: "LaterTests", package + ["-typecheck"] + compiler.testingOptions())
    }

    @Test("The commands of the page exist")
    func commands() async throws {
        let page = try DocumentPage(Self.page)
        let lines = try page.blocks(in: "From the package to a running extension").flatMap { $0.split(separator: "\n") }
        let calls = lines.filter { $0.hasPrefix("build/bin/") }.map { $0.split(separator: " ").map(String.init) }
        #expect(calls.count > 8)
        let app = try HostApp.find()
        for words in calls {
            let path = ["extension", "trust"].contains(words[1]) ? words[1...2] : words[1...1]
            let program = words[0].hasSuffix("/hostapp") ? app.hostapp : app.bundletool
            let help = try await program.run(path + ["--help"])
            #expect(help.status == 0, "\(words)")
            for option in words where option.hasPrefix("--") { #expect(help.stdout.contains(option), "\(words)") }
        }
    }

    @Test("SwiftPM accepts the package of the page, and each extension of its manifest has a library")
    func package() async throws {
        let folder = try ThrowawayFolder()
        try folder.write(block("The package"), to: "Later/Package.swift")
        let result = try await Executable("/usr/bin/env").run(
            "swift", "package", "--package-path", folder.appending("Later").string, "dump-package",
            environment: ["HOME": folder.path.string], timeout: .seconds(120)
        ).succeeded()
        let manifest = try JSONDecoder().decode(JSON.self, from: Data(block("The manifest").utf8))
        for entry in [manifest.entry] + manifest.extensions.elements.map(\.entry) {
            let product = entry.string.dropFirst("lib".count).dropLast(".so".count)
            #expect(result.stdout.contains("\"\(product)\""), "\(entry)")
        }
        let share = try #require(manifest.extensions.elements.first)
        #expect(share.identifier.string.hasPrefix("\(manifest.identifier).") && share.point == "share")
    }
}
