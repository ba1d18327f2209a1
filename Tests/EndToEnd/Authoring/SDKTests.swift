import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The SDK, with which authors need no source of Atrium", .tags(.large), .timeLimit(.minutes(10)))
struct SDKTests {
    private let author: Workplace

    init() async throws { author = try await Workplace() }

    @Test(
        "Each kind of plugin, its Interface, and each extension is created so that it builds, passes its tests and can be packed",
        arguments: [
            ["--kind", "lib"], ["--kind", "assets"], ["--interface"],
            ["today", "share", "action", "keyboard", "photo-editing", "document-provider"].flatMap {
                ["--extension", $0]
            },
        ])
    func kinds(options: [String]) async throws {
        try await author.run("bundletool", ["new", "Sample", "--identifier", "com.example.sample"] + options)
        try await author.run("bundletool", ["test", "Sample"])
        let packed = try await author.run("bundletool", ["pack", "Sample", "--output", "packages"])
        #expect(packed.stderr.isEmpty || !packed.stderr.contains("warning:"), "\(packed)")
    }

    @Test("The settings for VS Code debug the host of the SDK with the commands of the page on debugging")
    func debugging() async throws {
        try await author.run(
            "bundletool", ["new", "Hello", "--identifier", "com.example.hello", "--extension", "today"])
        let hello = author.folder.appending("Hello").string
        func expanded(_ text: String) -> String { text.replacing("${workspaceFolder}", with: hello) }
        func settings(_ name: String) throws -> JSON {
            try JSONDecoder().decode(JSON.self, from: Data(FilePath(hello).appending(".vscode/\(name)").text.utf8))
        }
        let configurations = try settings("launch.json").configurations.elements
        let task = try #require(settings("tasks.json").tasks.elements.first { $0.label == "Install" })
        let install = task.command.string.split(separator: " ").map(String.init)
        try await author.program(install[0]).run(
            Array(install.dropFirst()), folder: FilePath(hello), timeout: .seconds(300)
        ).succeeded()
        #expect(configurations.map(\.request) == ["launch", "launch", "attach"])
        #expect(configurations.allSatisfy { $0.type == "swift" })
        let page = try Workplace.root.appending("Packages/Core/Sources/PluginCore/PluginCore.docc/Debugging.md").text
        let shown = page.split(separator: "\n").filter { $0.hasPrefix("$ lldb -- hostapp ") }
        for configuration in configurations {
            // The link leads to the host, whose libraries and extension-runner are found beside it.
            let program = FilePath(expanded(configuration.program.string))
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: program.string)
                    == author.sdk.appending("bin/hostapp").string)
            let args = configuration.args.elements.map(\.string)
            if args.isEmpty { continue }
            #expect(configuration.preLaunchTask == "Install")
            let words = args.joined(separator: " ").replacing("${workspaceFolder}", with: "Hello")
            #expect(shown.contains { $0.hasPrefix("$ lldb -- hostapp \(words)") }, "\(words)")
            #expect(configuration.initCommands.elements.allSatisfy { page.contains("(lldb) \($0)\n") })
            let result = try await Executable(program).run(args.map(expanded), timeout: .seconds(60))
            #expect(result.status == 0 && result.stdout.contains("Hello"), "\(result)")
        }
    }

    @Test("An error names what is wrong: no SDK, a used folder, code that does not compile, no plugin")
    func errors() async throws {
        func failure(_ words: String...) async throws -> ProcessResult {
            try await author.program("bundletool").run(words, folder: author.folder.path, timeout: .seconds(300))
        }
        let unknown = try await author.program("hostapp").run("open", "app://nowhere")
        #expect(unknown.status == 66 && unknown.stderr.hasPrefix("error: no plugin handles"), "\(unknown)")
        let missing = try await failure("new", "Hello")
        #expect(missing.status == 64 && missing.stderr.contains("--identifier"), "\(missing)")
        let name = try await failure("new", "hello-world", "--identifier", "com.example.hello")
        #expect(name.status == 64 && name.stderr.contains("a capital letter"), "\(name)")
        try await author.run("bundletool", ["new", "Hello", "--identifier", "com.example.hello"])
        let used = try await failure("new", "Hello", "--identifier", "com.example.hello")
        #expect(used.status == 65 && used.stderr.contains("is not empty"), "\(used)")
        let line = "func morning(_ texts: Texts) -> String { texts.homeMorning }\n"
        try author.folder.write(line, to: "Hello/Sources/Hello/Wrong.swift")
        let wrong = try await failure("build", "Hello")
        #expect(wrong.status == 65 && (wrong.stdout + wrong.stderr).contains("Wrong.swift:1"), "\(wrong)")
        #expect((wrong.stdout + wrong.stderr).contains("has no member 'homeMorning'"), "\(wrong)")
        #expect(wrong.stderr.contains("swift build\" failed with status 1"), "\(wrong)")
        // The text of the missing key is added, and the next build has a constant for it.
        let table = "Hello/Resources/en.lproj/Localizable.json"
        let texts = try author.folder.appending(table).text
        try author.folder.write(texts.replacing("{\n", with: "{\n  \"home.morning\": \"Hi\",\n"), to: table)
        let manifest = try author.folder.appending("Hello/manifest.json").text
        try author.folder.write(manifest.replacing("libHello.so", with: "libOther.so"), to: "Hello/manifest.json")
        let unbuilt = try await failure("build", "Hello")
        #expect(unbuilt.status == 65 && unbuilt.stderr.contains("builds no library \"libOther.so\""), "\(unbuilt)")
        for name in ["Swift", "PluginCore", "String", "Navigator"] {
            let reserved = try await failure("new", name, "--identifier", "com.example.hello")
            #expect(reserved.status == 64, "\(reserved)")
        }
        let nothing = try await failure("build", "packages")
        #expect(nothing.status == 66 && nothing.stderr.contains("bundletool new"), "\(nothing)")
        try author.sdk.appending("modules").remove()
        let partial = try await failure("build", "Hello")
        #expect(partial.status == 66 && partial.stderr.contains("there is no SDK"), "\(partial)")
    }

    @Test(
        "Only tests that were run can pass, options after -- are Swift's own, and a new plugin can lie in a new repository"
    )
    func options() async throws {
        try author.folder.appending("Hello/.git").makeFolder()
        try await author.run("bundletool", ["new", "Hello", "--identifier", "com.example.hello"])
        func failure(_ words: String...) async throws -> ProcessResult {
            try await author.program("bundletool").run(words, folder: author.folder.path, timeout: .seconds(300))
        }
        let passed = try await author.run("bundletool", ["test", "Hello", "--filter", "manifest", "--json"])
        #expect(passed.stdout.contains("\"passed\": true"), "\(passed)")
        // The other SDK lacks a module, which a build that goes on with the first one would not notice.
        let other = author.folder.appending("other").string
        try await Executable("/bin/cp").run("-a", author.sdk.string, other).succeeded()
        for ending in ["swiftmodule", "swiftinterface"] {
            try FilePath("\(other)/modules/PluginCore.\(ending)").remove()
        }
        let sdks = ["--sdk", author.sdk.lastComponent, "--sdk=other"]
        let both = try await author.program("bundletool").run(
            ["test", "Hello", "--filter", "manifest", "--json"] + sdks, folder: author.folder.path,
            timeout: .seconds(300))
        let runs = try both.json(as: JSON.self).sdks.elements
        #expect(both.status == 65 && runs.map(\.status) == [0, 65], "\(both)")
        #expect(runs.first?.result.passed == true && runs.last?.result.error.code == "programFailed", "\(both)")
        #expect(both.stderr.contains("With the SDK") && both.stderr.contains("no such module 'PluginCore'"), "\(both)")
        let wrong = try await failure("lint", "Hello", "--sdk", "Hello")
        #expect(wrong.status == 66 && wrong.stderr.contains("there is no SDK in"), "\(wrong)")
        let nothing = try await failure("test", "Hello", "--filter", "nothing")
        #expect(nothing.status == 65 && nothing.stderr.contains("no test of the plugin"), "\(nothing)")
        let verbose = try await author.run("bundletool", ["build", "Hello", "--", "--verbose"])
        #expect((verbose.stdout + verbose.stderr).contains("-module-name Hello"), "\(verbose)")
        let unknown = try await failure("build", "Hello", "--", "--no-such-option")
        #expect(unknown.status == 65 && unknown.stderr.contains("--no-such-option"), "\(unknown)")

        let facts = try author.sdk.appending("sdk.json").text
        let older = facts.replacing(/"swift": "[0-9.]+"/, with: #""swift": "6.2.9""#)
        try author.sdk.appending("sdk.json").write(older)
        let differing = try await failure("build", "Hello", "--", "--no-such-option")
        #expect(differing.stderr.contains("the modules of this SDK are for Swift 6.2.9"), "\(differing)")
    }

    @Test("The textual interfaces of modules that are built for evolution compile with what the SDK contains")
    func textualInterfaces() async throws {
        try author.folder.appending("interfaces").makeFolder()
        for folder in ["modules", "components"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: author.sdk.appending(folder).string)
            for name in names where name.hasSuffix(".swiftinterface") {
                try author.sdk.appending("\(folder)/\(name)").copy(to: author.folder.appending("interfaces/\(name)"))
            }
        }
        let modules = ["Money", "PageLayouts", "PluginCore", "PluginDatabase", "PluginExtension", "SQLite"]
        let found = try FileManager.default.contentsOfDirectory(atPath: author.folder.appending("interfaces").string)
        #expect(found.sorted() == modules.map { "\($0).swiftinterface" })
        // Without binary modules, the compiler builds each module from its text.
        try author.folder.write(
            """
            import Money
            import PageLayouts
            import PluginCore
            import PluginDatabase
            import PluginExtension
            import SQLite
            @MainActor func text(of page: any Page, in currency: Currency, from context: BundleContext) throws -> String {
                _ = try context.database("shop", Migrations([]))
                return "\\(page.title) \\(currency) \\(try ResourceURI("app://shop"))"
            }
            """, to: "Use.swift")
        let include = author.sdk.appending("include").string
        let compiled = try await Executable("/usr/bin/env").run(
            [
                "swiftc", "-swift-version", "6", "-typecheck", "-module-cache-path", "cache", "-I", "interfaces",
                "-I", "\(include)/CModules", "-I", "\(include)/CPluginEntry", "Use.swift",
            ], folder: author.folder.path, timeout: .seconds(300))
        #expect(compiled.status == 0, "\(compiled)")
    }

    @Test(
        "Each link in the pages of the SDK leads to a page and a heading in it, and the index for machines names each page once"
    )
    func links() async throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: author.sdk.string).sorted()
        let pages = files.filter { $0.hasSuffix(".md") || $0 == "llms.txt" }
        func path(of link: String, in page: String) -> String {
            page.split(separator: "/").dropLast().map { $0 + "/" }.joined() + link
        }
        var linked: Set<String> = []
        for page in pages {
            for link in try author.sdk.appending(page).text.matches(of: /\]\(([^)#\s]*)(?:#([^)]*))?\)/)
            where !link.1.contains("://") {
                let target = link.1.isEmpty ? page : path(of: String(link.1), in: page)
                if page == "llms.txt" { #expect(linked.insert(target).inserted, "\(target)") }
                #expect(files.contains(target), "\(page): \(link.0)")
                guard let heading = link.2, files.contains(target) else { continue }
                let headings = try author.sdk.appending(target).text.split(separator: "\n").filter { $0.hasPrefix("#") }
                #expect(headings.map(Self.anchor).contains(String(heading)), "\(page): \(link.0)")
            }
        }
        #expect(linked == Set(files.filter { $0.hasPrefix("doc/") && $0.contains(".") }))
        let lines = try author.sdk.appending("llms.txt").text.split(separator: "\n").filter { $0.hasPrefix("- ") }
        #expect(lines.count == linked.count && lines.allSatisfy { $0.contains("): ") && $0.count < 200 }, "\(lines)")
        for name in [
            "Bundle", "Contract", "WritingAnExtension", "Debugging", "PluginTestKit", "SQLite", "Texts", "AWidget",
        ] {
            #expect(linked.contains("doc/\(name).md"))
        }
        #expect(try author.sdk.appending("doc/interfaces/PluginTestKit.swift").text.contains("var openedAddresses"))
    }

    /// Returns the anchor of a heading, as GitHub makes it.
    private static func anchor(_ heading: Substring) -> String {
        let kept = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return kept.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
    }
}
