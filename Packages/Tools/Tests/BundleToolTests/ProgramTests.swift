import BundleFormat
import Preflight
import HostSystem
import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import Testing
import Zip

@testable import BundleTool

@Suite("bundletool", .tags(.large))
struct ProgramTests {
    @Test("The declaration of the commands is consistent, and each has a help text")
    func declaration() throws {
        #expect(Program.command.problems == [])
        for words in [["--help"], ["pack", "--help"], ["inspect", "-h"], ["help", "archive", "list"]] {
            #expect(try Program.answer(to: words, on: .plain).hasPrefix("Usage: bundletool"))
        }
        #expect(try Program.answer(to: ["pack", "--help"], on: .plain).contains("define plugin_entry_v2"))
        #expect(try Program.answer(to: ["--version"], on: .plain) == "bundletool \(CoreVersion.release)\n")
    }

    @Test("Help and version are one JSON document with --json", arguments: ["--help", "--version"])
    func jsonAnswers(question: String) throws {
        struct Document: Decodable {
            let help: String?
            let version: String?
        }
        let text = try Program.answer(to: [question, "--json"], on: .plain)
        let document = try JSONDecoder().decode(Document.self, from: Data(text.utf8))
        #expect(document.help?.hasPrefix("Usage: bundletool") ?? (document.version == CoreVersion.release))
    }

    @Test("pack prints the package's path on the first line and then its facts")
    func packText() throws {
        let fixture = try PluginFixture()
        let words = ["pack", fixture.folder.string, "-l", fixture.library.string, "-o", fixture.output.string]
        let lines = try Program.answer(to: words, on: .plain).split(separator: "\n").map(String.init)
        let package = fixture.output.appending("com.example.app.shop-1.1.0.zip")
        #expect(
            lines == [
                package.string,
                "bundle           Shop, com.example.app.shop@1.1.0, kind app",
                "offers           2 routes, 1 target",
                "holds            5 files, \(byteCount(try fixture.bytes(of: package).count)); languages: en, zh-Hans",
                "signed           no; \"bundletool sign\" signs it",
                "package SHA-256  \(try PackageFile(path: package).digest())",
            ]
        )
    }

    @Test("inspect shows all facts about a package")
    func inspectText() throws {
        let fixture = try PluginFixture()
        let package = try fixture.packer().pack(into: fixture.output)
        let size = byteCount(try fixture.bytes(of: package).count)
        let layout = PluginFixture.layout.utf8.count
        let manifest = PluginFixture.manifest.utf8.count
        let library = try PluginFixture.built.get().count
        let needed = try #require(PackageInspection(of: package).library).facts.needed.joined(separator: ", ")
        #expect(
            try Program.answer(to: ["inspect", package.string], on: .plain) == """
                Shop 1.1.0
                Buys.

                identifier       com.example.app.shop
                kind             app
                format           zip with an ELF library
                entry            libShop.so
                Core ABI         2
                architecture     \(Platform.triple.prefix { $0 != "-" })
                entry symbol     plugin_entry_v2
                built with       Core \(CoreVersion.release), \(CoreVersion.compiler)
                needs            \(needed)
                result           a host of this release can load it
                signed           no; "bundletool sign" signs it
                requires         com.example.app.account ^1.0.0
                languages        en, zh-Hans
                size             \(size)
                package SHA-256  \(try PackageFile(path: package).digest())

                ROUTE       KIND  NAME   LAYOUT      GUARDS
                shop        page  home   -           Account.requireSignIn
                shop/about  page  about  help/about  -

                TARGET  ACTIONS
                Shop    price, itemPage

                FILE                                      BYTES
                Resources/Pages/help.json                    \(layout)
                Resources/en.lproj/Localizable.json          18
                Resources/zh-Hans.lproj/Localizable.json     19
                lib/\(Platform.triple)/libShop.so \(String(repeating: " ", count: 7 - "\(library)".count))\(library)
                manifest.json                               \(manifest)

                """
        )
    }

    private static let detailed = PluginFixture.manifest
        .replacing(#""page": "home""#, with: #""page": "home", "exposure": "external", "priority": 7, "deadline": 2"#)
        .replacing(#""price""#, with: #"{"name": "price", "exposure": "internal"}"#)
        .replacing(#""targets""#, with: #""services": ["Stock"], "targets""#)

    @Test("inspect shows priority, exposure, deadline and services only if they differ from the defaults")
    func details() throws {
        let fixture = try PluginFixture()
        let package = try fixture.writePackage(manifest: Self.detailed)
        let text = try Program.answer(to: ["inspect", package.string], on: .plain)
        for line in [
            "services         Stock", "Shop    price (internal), itemPage",
            "ROUTE       KIND  NAME   LAYOUT      GUARDS                 WISHES",
            "shop        page  home   -           Account.requireSignIn  external, priority 7, deadline 2 s",
            "shop/about  page  about  help/about  -                      -",
        ] {
            #expect(text.contains(line + "\n"), "\(line)")
        }
        let summary = try PackageInspection(of: package).summary(for: .plain)
        #expect(summary.contains("offers           2 routes, 1 target, 1 service\n"))
    }

    @Test("inspect --json always contains priority, exposure, deadline and services")
    func wishesJSON() throws {
        struct Document: Decodable, Equatable {
            struct Route: Decodable, Equatable {
                let priority: Int
                let exposure: String
                let deadline: Double?
                let mayDecline: Bool
            }
            struct Target: Decodable, Equatable {
                let actions: [String]
                let exposures: [String: String]
            }
            let routes: [Route]
            let targets: [Target]
            let services: [String]
        }
        func document(_ manifest: String) throws -> Document {
            let fixture = try PluginFixture()
            let package = try fixture.writePackage(manifest: manifest)
            let text = try Program.answer(to: ["inspect", package.string, "--json"], on: .plain)
            return try JSONDecoder().decode(Document.self, from: Data(text.utf8))
        }
        let silent = Document.Route(priority: 0, exposure: "plugins", deadline: nil, mayDecline: false)
        #expect(
            try document(Self.detailed)
                == Document(
                    routes: [.init(priority: 7, exposure: "external", deadline: 2, mayDecline: false), silent],
                    targets: [
                        .init(actions: ["price", "itemPage"], exposures: ["price": "internal", "itemPage": "plugins"])
                    ], services: ["Stock"]))
        let plain = try document(PluginFixture.manifest)
        #expect(plain.routes == [silent, silent])
        #expect(plain.services == [])
        #expect(plain.targets.map(\.exposures) == [["price": "plugins", "itemPage": "plugins"]])
    }

    @Test("A plugin with a host's own converter can be packed and inspected if the converter is named")
    func converter() throws {
        let fixture = try PluginFixture(
            manifest: PluginFixture.manifest.replacing("shop/about", with: "shop/:page<slug>/:n<int>"))
        let words = ["pack", fixture.folder.string, "-l", fixture.library.string, "-o", fixture.output.string]
        let error = #expect(throws: AtriumError.self) { try Program.answer(to: words, on: .plain) }
        #expect(
            error?.problems.map(\.sentence) == [
                "routes[1].pattern: \"shop/:page<slug>/:n<int>\": the converter \"slug\" is unknown; expected one "
                    + "of bool, double, int, string, uuid",
                "manifest.json: if every host of the plugin registers the converter \"slug\", "
                    + "add --converter slug",
            ])
        let packed = try Program.answer(to: words + ["--converter", "date", "--converter", "slug"], on: .plain)
        let package = String(packed.prefix { $0 != "\n" })
        #expect(throws: AtriumError.self) { try Program.answer(to: ["inspect", package], on: .plain) }
        #expect(
            try Program.answer(to: ["inspect", package, "-c", "slug"], on: .plain).contains("shop/:page<slug>/:n<int>"))
        #expect(throws: UsageError.self) { try Program.answer(to: words + ["-c", "<slug>"], on: .plain) }
    }

    @Test("pack and inspect print the same JSON document, except for what pack adds and warns of")
    func json() throws {
        struct Document: Decodable {
            struct Named: Decodable {
                let name: String
            }
            let path: String
            let catalogName: String
            let packageSHA256: String
            let identifier: String
            let entry: String?
            let coreABI: Int?
            let languages: [String]
            let routes: [Named]
            let targets: [Named]
            let files: [Named]
        }
        let fixture = try PluginFixture()
        let words = [
            "pack", fixture.folder.string, "-l", fixture.library.string, "-o", fixture.output.string, "--json",
        ]
        let packed = try Program.answer(to: words, on: .plain)
        let document = try JSONDecoder().decode(Document.self, from: Data(packed.utf8))
        let inspected = try Program.answer(to: ["--json", "inspect", document.path], on: .plain)
        let added = """
              "addedFromCode": {
                "routes": [],
                "actions": [],
                "services": [],
                "extensionPoints": [],
                "extensions": [],
                "requirements": []
              },
              "warnings": []
            }

            """
        #expect(inspected.dropLast(3) + ",\n" + added == packed)
        #expect(document.path == fixture.output.appending(document.catalogName).string)
        #expect(document.identifier == "com.example.app.shop")
        #expect(document.entry == "libShop.so" && document.coreABI == 2)
        #expect(document.languages == ["en", "zh-Hans"])
        #expect(document.routes.map(\.name) == ["home", "about"])
        #expect(document.targets.map(\.name) == ["Shop"])
        #expect(document.files.count == 5)
        #expect(document.packageSHA256 == (try PackageFile(path: FilePath(document.path)).digest()))
    }

    @Test("inspect reports the problems of a library that no host would install, as text and as JSON")
    func inspectUnloadable() throws {
        struct Document: Decodable {
            struct Finding: Decodable {
                let rule: String
                let subject: String
                let what: String
                let remedy: String
            }
            struct Library: Decodable {
                let architecture: String
                let entrySymbol: String?
                let isLoadable: Bool
                let findings: [Finding]
            }
            let library: Library?
        }
        let fixture = try PluginFixture()
        let bytes = try library(ofC: "int answer(void) { return 42; }")
        let package = try fixture.writePackage(manifest: PluginFixture.manifest, library: bytes).string

        let words = "it does not export plugin_entry_v2; the plugin's author must export it"
        let text = try Program.answer(to: ["inspect", package], on: .plain)
        #expect(text.contains("result           no host of this release can load it\n"))
        #expect(text.contains("\n  - \(words)"))
        let json = try Program.answer(to: ["inspect", package, "--json"], on: .plain)
        let told = try #require(try JSONDecoder().decode(Document.self, from: Data(json.utf8)).library)
        #expect(!told.isLoadable && told.entrySymbol == nil && told.architecture == "x86_64")
        #expect(told.findings.map(\.rule) == ["entry"])
        #expect(told.findings.map { "\($0.what); \($0.remedy)" }.first?.hasPrefix(words) == true)
        // The findings must be those of the host.
        let file = PackageFile(path: FilePath(package))
        let report = try file.libraryReport(for: file.manifest())
        #expect(report?.findings.map(\.what.sentence) == told.findings.map(\.what))
    }

    @Test("inspect reports that a catalog would not find a renamed package")
    func renamed() throws {
        let fixture = try PluginFixture()
        let package = try fixture.packer().pack(into: fixture.output)
        let other = fixture.root.appending("shop.zip")
        try FileManager.default.moveItem(atPath: package.string, toPath: other.string)
        let text = try Program.answer(to: ["inspect", other.string], on: .plain)
        #expect(text.contains("a catalog finds it only under the name com.example.app.shop-1.1.0.zip"))
    }

    @Test("A file that is not a package is rejected with an exit status")
    func refusals() throws {
        let fixture = try PluginFixture()
        let status = { (words: [String]) in
            #expect(throws: (any Error).self) { try Program.answer(to: words, on: .plain) }
                .map { FailureReport.of($0).status.rawValue }
        }
        #expect(status(["inspect", fixture.library.string]) == 65)
        #expect(status(["inspect", fixture.root.appending("none.zip").string]) == 66)
        #expect(status(["inspect", fixture.folder.string]) == 66)
        #expect(status(["inspect"]) == 64)
        #expect(status(["pakc"]) == 64)
        #expect(status(["pack", fixture.folder.string]) == 64)
        try fixture.write("[]", to: "plugin/manifest.json")
        #expect(status(["pack", fixture.folder.string]) == 65)
        #expect(Program.wantsJSON(["inspect", "--json"]) && !Program.wantsJSON(["inspect", "--", "--json"]))
    }
}
