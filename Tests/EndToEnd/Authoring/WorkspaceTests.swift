import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("A workspace, built from the SDK alone", .tags(.large), .timeLimit(.minutes(10)))
struct WorkspaceTests {
    private let author: Workplace
    private let workspace: FilePath

    init() async throws {
        author = try await Workplace()
        workspace = author.folder.appending("Acme")
        try await author.run(
            "bundletool",
            ["new", "Acme", "--workspace", "-i", "com.acme", "--modules", "Customers,Billing", "--ci", "github"])
    }

    @Test("One command writes an app of at most 600 lines, whose first page and tests are a command each")
    func create() async throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: workspace.string)
        let texts = paths.compactMap { try? workspace.appending($0).text }
        let lines = texts.map { $0.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }.reduce(0, +)
        #expect(lines <= 600, "\(lines) lines")

        let clock = ContinuousClock()
        var text = ""
        let first = try await clock.measure {
            text = try await author.program(at: "Acme/Scripts/run").run(
                ["open", "app://customers"], environment: path, timeout: .seconds(300)
            ).succeeded().stdout
        }
        #expect(text.contains("\nCustomers\n=========\n"), "\(text)")
        let all = try await clock.measure {
            try await author.program(at: "Acme/Scripts/test").run([], environment: path, timeout: .seconds(300))
                .succeeded()
        }
        print("table: a new workspace has \(lines) lines, its first page after \(first), all tests after \(all)")
    }

    @Test("Another module gets its place in the app, and the architecture test names an import of another plugin")
    func module() async throws {
        let bundletool = author.program("bundletool")
        try await bundletool.run(["new", "Reports"], folder: workspace, timeout: .seconds(60)).succeeded()
        let composition = try workspace.appending("bundle.json").text
        #expect(composition.contains("\"bundles\": [\n    { \"uri\": \"customers\""), "\(composition)")
        #expect(composition.contains("{ \"uri\": \"reports\", \"pkg\": \"com.acme.reports\" }\n  ]"), "\(composition)")
        try await author.run("bundletool", ["test", "Acme/Plugins/Reports"])

        let page = workspace.appending("Plugins/Customers/Sources/Customers/HomePage.swift")
        try page.write("@testable import Billing\n" + page.text)
        let failed = try await bundletool.run(
            ["test", "Acme", "--filter", "Architecture"], folder: author.folder.path, timeout: .seconds(300))
        #expect(failed.status != 0, "\(failed)")
        #expect((failed.stdout + failed.stderr).contains("no such module 'Billing'"), "\(failed)")
        let rules = try PluginImports(of: workspace).problems()
        #expect(rules == ["Customers/Sources/Customers/HomePage.swift imports Billing; it may import Interfaces"])
    }

    @Test(
        "Modules that could not be told apart are refused",
        arguments: ["Home", "Home,HOME", "Home,OtherKit", "Home,Page"])
    func names(modules: String) async throws {
        let words = ["new", "Other", "--workspace", "-i", "com.other", "--modules", modules]
        let refused = try await author.program("bundletool").run(words, folder: author.folder.path)
        #expect(refused.status == 64 && refused.stderr.contains("--modules cannot be"), "\(refused)")
        #expect(!author.folder.contains("Other"))
    }

    @Test("A newer template is merged into what its owner has changed, and a conflict is marked and told")
    func update() async throws {
        let unchanged = try await author.run("bundletool", ["update-project", "Acme"])
        #expect(unchanged.stdout == "The template has not changed.\n", "\(unchanged)")
        let template = author.sdk.appending("share/atrium/workspace-template.txt")
        let newer = try template.text
            .replacing("version: \"0.1.0\"", with: "version: \"0.2.0\"")
            .replacing("\n.build/\n", with: "\n.cache/\n.build/\n")
            .replacing("exec bundletool test", with: "exec bundletool  test")
        try template.write(newer + "\n=== Scripts/clean\nrm -rf build\n")
        let (ignored, main) = (
            workspace.appending(".gitignore"), workspace.appending("HostApp/Sources/acme/main.swift")
        )
        try ignored.write(ignored.text + "mine/\n")
        try main.write(main.text.replacing("version: \"0.1.0\"", with: "version: \"7.0.0\""))
        let updated = try await author.program("bundletool").run(
            ["update-project", "Acme"], folder: author.folder.path)
        let outcomes = [
            "merged: .gitignore", "conflict: HostApp/Sources/acme/main.swift", "added: Scripts/clean",
            "updated: Scripts/test",
        ]
        #expect(updated.stdout == outcomes.map { $0 + "\n" }.joined(), "\(updated)")
        #expect(updated.status == 65 && updated.stderr.contains("1 files have conflicts"), "\(updated)")
        #expect(try ignored.text.contains(".cache/\n") && ignored.text.contains("mine/\n"))
        let marked = try main.text
        #expect(marked.contains("<<<<<<< yours") && marked.contains("7.0.0") && marked.contains("0.2.0"), "\(marked)")
        #expect(FileManager.default.isExecutableFile(atPath: workspace.appending("Scripts/clean").string))
        let again = try await author.run("bundletool", ["update-project", "Acme"])
        #expect(again.stdout == "The template has not changed.\n", "\(again)")
        try workspace.appending(".template.json").remove()
        let unknown = try await author.program("bundletool").run(
            ["update-project", "Acme"], folder: author.folder.path)
        #expect(unknown.status == 66 && unknown.stderr.contains("from which template"), "\(unknown)")
    }

    @Test(
        "A packaged app runs in another sandbox without the SDK and without Swift, installs by its lock, and is a Debian package"
    )
    func package() async throws {
        let words = [
            "app", "package", "Acme", "--output", "shipped/acme", "--debian", "--maintainer", "Ada <ada@example.org>",
        ]
        try author.folder.appending("shipped").makeFolder()
        let packaged = try await author.run("bundletool", words)
        #expect(packaged.stdout.hasSuffix("shipped/acme_0.1.0_\(Self.architecture).deb\n"), "\(packaged)")
        let again = try await author.program("bundletool").run(words, folder: author.folder.path)
        #expect(again.status == 65 && again.stderr.contains("not empty"), "\(again)")

        try await packageWithoutWorkspace(from: author.folder.appending("shipped/acme"))
        for name in ["Acme", author.sdk.lastComponent] { try author.folder.appending(name).remove() }
        try await runWithoutBundles()
        let unpacked = author.folder.appending("machine").string
        try await Executable("/usr/bin/dpkg-deb").run("-x", packaged.stdout.lastPath, unpacked).succeeded()
        for (program, file) in [
            ("shipped/acme/bin/acme", "shipped/acme/bin/acme"),
            ("machine/usr/bin/acme", "machine/usr/lib/acme/bin/acme"),
        ] {
            let home = author.folder.appending("home of \(program.prefix(7))").string
            let acme = Executable(
                "/usr/bin/env", leading: ["-i", "HOME=\(home)", author.folder.appending(program).string])
            let libraries = try await Executable("/usr/bin/ldd").run(author.folder.appending(file).string).stdout
            #expect(libraries.contains("/libswiftCore.so") && !libraries.contains("=> /opt"), "\(libraries)")
            let installed = try await acme.run("app", "install")
            #expect(installed.status == 0 && installed.stdout.contains("com.acme.billing"), "\(installed)")
            let opened = try await acme.run("open", "--tap", "greet name=Ada", "--tap", "next")
            #expect(opened.stdout.contains("Hello, Ada.") && opened.stdout.contains("Billing\n"), "\(opened)")
            let help = try await acme.run("--help").stdout
            #expect(help.contains("acme/sandbox") && !help.contains("atrium/") && !help.contains("hostapp"), "\(help)")
        }
    }

    /// Packages the app again from its bundle.json, its lock, its host and its packages, and without packages but with a catalog.
    private func packageWithoutWorkspace(from whole: FilePath) async throws {
        let app = author.folder.appending("app")
        try app.makeFolder()
        for name in ["bundle.json", "bundle.lock", "trust.json"] {
            try whole.appending("share/acme/\(name)").copy(to: app.appending(name))
        }
        let words = ["app", "package", "app/bundle.json", "--host", whole.appending("bin/acme").string]
        let bundletool = author.program("bundletool")
        func refused(_ more: [String], _ status: Int32, _ text: String) async throws {
            let result = try await bundletool.run(words + more, folder: author.folder.path, timeout: .seconds(60))
            #expect(result.status == status && result.stderr.contains(text), "\(result)")
        }
        try await refused(["--output", "shipped/none"], 66, "--packages does not have it")
        try await refused(["--output", "shipped/none", "--runtime-only"], 64, "no catalogs.json")
        let packages = ["--packages", whole.appending("catalog").string]
        try await author.run("bundletool", words + packages + ["--output", "shipped/again"])
        let again = author.folder.appending("shipped/again")
        let lock = "share/acme/bundle.lock"
        #expect(try again.appending(lock).text == whole.appending(lock).text)
        let packed = try names(in: "shipped/again/catalog")
        #expect(packed.count == 2)

        try author.folder.write("correct horse", to: "password")
        try await author.run(
            "bundletool",
            [
                "publish", whole.appending("catalog").string, "--to", "site", "--keys", "keys", "--password-file",
                "password",
            ])
        let address = "file://\(author.folder.appending("site"))"
        try app.appending("catalogs.json").write(
            #"{"formatVersion": 1, "sources": [{"name": "acme", "address": "\#(address)"}]}"#)
        try await refused(["--output", "shipped/none", "--runtime-only"], 66, "acme.root.json")
        try author.folder.appending("site/metadata/1.root.json").copy(to: app.appending("acme.root.json"))
        try await author.run("bundletool", words + ["--output", "shipped/fetched"])
        #expect(try names(in: "shipped/fetched/share/acme/plugins") == packed)
        try await author.run("bundletool", words + ["--output", "shipped/runtime", "--runtime-only"])
        #expect(try names(in: "shipped/runtime/share/acme").contains("plugins") == false)
        let changed = try whole.appending("share/acme/bundle.json").text.replacing("Acme", with: "Other")
        try app.appending("bundle.json").write(changed)
        try await refused(packages + ["--output", "shipped/none"], 77, "does not fit bundle.json")
    }

    /// Opens the app that was packaged without bundles, which come from the pinned catalog.
    private func runWithoutBundles() async throws {
        let acme = Executable(
            "/usr/bin/env",
            leading: [
                "-i", "HOME=\(author.folder.appending("home"))",
                author.folder.appending("shipped/runtime/bin/acme").string,
            ])
        let installed = try await acme.run("app", "install")
        #expect(installed.status == 0 && installed.stdout.contains("com.acme.billing"), "\(installed)")
        let opened = try await acme.run("open", "--tap", "greet name=Ada")
        #expect(opened.stdout.contains("Hello, Ada."), "\(opened)")
        let sources = try await acme.run("catalog", "sources")
        #expect(sources.stdout.contains("file://"), "\(sources)")
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: author.folder.appending(folder).string).sorted()
    }

    /// The architecture as Debian names it.
    private static var architecture: String {
        #if arch(arm64)
            "arm64"
        #else
            "amd64"
        #endif
    }

    /// The environment in which the SDK's programs are found.
    private var path: [String: String] {
        ["PATH": "\(author.sdk.appending("bin")):\(author.environment["PATH"] ?? "")"]
    }
}

extension String {
    /// The path at the end of an answer.
    fileprivate var lastPath: String { split(separator: "\n").last?.split(separator: " ").last.map(String.init) ?? "" }
}
