import BundleFormat
import CatalogFormat
import Preflight
import HostSystem
import Console
import FoundationEssentials
import PluginCore
import Testing

@testable import BundleTool

@Suite("bundletool", .tags(.large))
struct ProgramTests {
    private let fixture: PluginFixture

    init() throws { fixture = try PluginFixture() }

    @Test("The declaration of the commands is consistent, and each has a help text")
    func declaration() throws {
        #expect(Program.command.problems == [])
        for command in Self.commands(below: Program.command.described) {
            let texts = command.arguments.map(\.help) + command.options.map(\.help) + [command.summary]
            #expect(texts.allSatisfy { $0.hasSuffix(".") }, "\(command.name): \(texts)")
        }
        for words in [["--help"], ["pack", "--help"], ["inspect", "-h"], ["help", "archive", "list"]] {
            #expect(try bundletool(words).text.hasPrefix("Usage: bundletool"))
        }
        // Values of the code that the texts repeat.
        for (name, values) in [
            ("pack", [PluginEntry.symbol, "\(Platform.all[0])=libShop.so"]),
            ("sign", [Seal.name, SigningOptions.epochVariable]),
            ("catalog", ["within \(RoleExpiry.warningDays) days"]), ("renew", ["\(RoleExpiry.warningDays) days"]),
            ("new", TemplateExtension.allCases.map(\.rawValue)),
        ] {
            let text = try bundletool(name, "--help").text.split { $0.isWhitespace }.joined(separator: " ")
            for value in values { #expect(text.contains(value), "\(name)") }
        }
        for name in ["publish", "catalog", "revoke", "unpublish", "renew", "delegate", "rotate-key", "sign-metadata"] {
            #expect(try bundletool(name, "--help").text.contains("Examples"), "\(name)")
        }
        #expect(try bundletool("--version").text == "bundletool \(CoreVersion.release)\n")
    }

    private static func commands(below command: Command) -> [Command] {
        [command] + command.subcommands.flatMap(commands)
    }

    @Test("Help and version are one JSON document with --json")
    func jsonAnswers() throws {
        #expect(
            try bundletool("--help", "--json").document([String: String].self)["help"]?.hasPrefix("Usage: ") == true)
        #expect(try bundletool("--version", "--json").json["version"] == "\(CoreVersion.release)")
    }

    @Test("inspect shows all facts about a package")
    func inspectText() throws {
        let package = try fixture.packer().pack(into: fixture.output)
        let size = byteCount(try fixture.bytes(of: package).count)
        let layout = PluginFixture.layout.utf8.count
        let manifest = PluginFixture.manifest.utf8.count
        let library = try PluginFixture.built.get().count
        let needed = try #require(PackageInspection(of: package).library).facts.needed.joined(separator: ", ")
        #expect(
            try bundletool("inspect", package.string).text == """
                Shop 1.1.0
                Buys.

                identifier       com.example.app.shop
                kind             app
                format           zip with an ELF library
                entry            libShop.so
                Core ABI         \(CoreVersion.abi)
                architecture     \(Platform.triple.prefix { $0 != "-" })
                hosts            \(LibraryBuild.host.words)
                entry symbol     plugin_entry_v3
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

                """)
    }

    private static let detailed = PluginFixture.manifest
        .replacing(#""page": "home""#, with: #""page": "home", "exposure": "external", "priority": 7, "deadline": 2"#)
        .replacing(#""price""#, with: #"{"name": "price", "exposure": "internal"}"#)
        .replacing(#""targets""#, with: #""services": ["Stock"], "targets""#)

    @Test("inspect --json always contains priority, exposure, deadline and services")
    func wishesJSON() throws {
        func document(_ manifest: String) throws -> JSON {
            let fixture = try PluginFixture()
            let package = try fixture.writePackage(manifest: manifest)
            return try bundletool("inspect", package.string, "--json").json
        }
        let all = try document(Self.detailed)
        #expect(all["routes.priority"] == [7, 0] && all["routes.exposure"] == ["external", "plugins"])
        #expect(all["routes.deadline"] == [2, .null] && all["routes.mayDecline"] == [false, false])
        #expect(all["targets.actions"] == [["price", "itemPage"]] && all["services"] == ["Stock"])
        #expect(all["targets.exposures"] == [["price": "internal", "itemPage": "plugins"]])
        let plain = try document(PluginFixture.manifest)
        #expect(plain["routes.priority"] == [0, 0] && plain["routes.exposure"] == ["plugins", "plugins"])
        #expect(plain["routes.deadline"] == [.null, .null] && plain["routes.mayDecline"] == [false, false])
        #expect(plain["services"] == [])
        #expect(plain["targets.exposures"] == [["price": "plugins", "itemPage": "plugins"]])
    }

    @Test("A plugin with a host's own converter can be packed and inspected if the converter is named")
    func converter() throws {
        let fixture = try PluginFixture(
            manifest: PluginFixture.manifest.replacing("shop/about", with: "shop/:page<slug>/:n<int>"))
        let words = fixture.packing
        let error = #expect(throws: AtriumError.self) { try bundletool(words) }
        #expect(
            error?.problems.map(\.sentence) == [
                "routes[1].pattern: \"shop/:page<slug>/:n<int>\": the converter \"slug\" is unknown; expected one "
                    + "of bool, double, int, string, uuid",
                "manifest.json: if every host of the plugin registers the converter \"slug\", "
                    + "add --converter slug",
            ])
        let packed = try bundletool(words + ["--converter", "date", "--converter", "slug"]).text
        let package = String(packed.prefix { $0 != "\n" })
        #expect(throws: AtriumError.self) { try bundletool("inspect", package) }
        #expect(try bundletool("inspect", package, "-c", "slug").text.contains("shop/:page<slug>/:n<int>"))
        #expect(throws: UsageError.self) { try bundletool(words + ["-c", "<slug>"]) }
    }

    @Test("pack and inspect print the same JSON document, except for what pack adds and warns of")
    func json() throws {
        let packed = try bundletool(fixture.packing + ["--json"])
        let document = try packed.json
        let inspected = try bundletool("--json", "inspect", fixture.package.string).text
        let added = """
              "addedFromCode": {
                "routes": [],
                "actions": [],
                "services": [],
                "extensionPoints": [],
                "extensions": [],
                "requirements": []
              },
              "warnings": [],
              "symbols": null
            }

            """
        #expect(inspected.dropLast(3) + ",\n" + added == packed.text)
        #expect(
            document["path"] == "\(fixture.package)" && document["catalogName"] == "\(fixture.package.lastComponent)")
        #expect(document["identifier"] == "com.example.app.shop")
        #expect(document["entry"] == "libShop.so" && document["coreABI"] == 3)
        #expect(document["languages"] == ["en", "zh-Hans"])
        #expect(document["routes.name"] == ["home", "about"] && document["targets.name"] == ["Shop"])
        #expect(document["files.name"].texts.count == 5)
        #expect(document["packageSHA256"] == "\(try PackageFile(path: fixture.package).digest())")
    }

    @Test("inspect reports the problems of a library that no host would install, as text and as JSON")
    func inspectUnloadable() throws {
        let bytes = try library(ofC: "int answer(void) { return 42; }")
        let package = try fixture.writePackage(manifest: PluginFixture.manifest, library: bytes).string

        let words = "it does not export plugin_entry_v3; the plugin's author must export it"
        let text = try bundletool("inspect", package).text
        #expect(text.contains("result           no host of this release can load it\n"))
        #expect(text.contains("\n  - \(words)"))
        let told = try bundletool("inspect", package, "--json").json["library"]
        #expect(told["isLoadable"] == false && told["entrySymbol"] == .null && told["architecture"] == "x86_64")
        #expect(told["findings.rule"] == ["entry"] && told["findings.what"] == ["it does not export plugin_entry_v3"])
        #expect(told["findings.subject"].texts.count == 1)
        #expect(told["findings.remedy"].texts.first?.hasPrefix("the plugin's author must export it") == true)
        // The findings must be those of the host.
        let file = PackageFile(path: FilePath(package))
        let manifest = try file.manifest()
        let report = try file.libraryReport(for: manifest, named: #require(manifest.entry))
        #expect(told["findings.what"] == .texts(report.findings.map(\.what.sentence)))
    }

    @Test("inspect reports that a catalog would not find a renamed package")
    func renamed() throws {
        let package = try fixture.packer().pack(into: fixture.output)
        let other = fixture.root.appending("shop.zip")
        try FileManager.default.moveItem(atPath: package.string, toPath: other.string)
        let text = try bundletool("inspect", other.string).text
        #expect(text.contains("a catalog finds it only under the name com.example.app.shop-1.1.0.zip"))
    }

    @Test("A file that is not a package is rejected with an exit status")
    func refusals() throws {
        let status = { (words: [String]) in try refusal { try bundletool(words) }.prefix(2) }
        #expect(try status(["inspect", fixture.library.string]) == "65")
        #expect(try status(["inspect", fixture.root.appending("none.zip").string]) == "66")
        #expect(try status(["inspect", fixture.folder.string]) == "66")
        for words in [["inspect"], ["pakc"], ["pack", fixture.folder.string]] { #expect(try status(words) == "64") }
        try fixture.write("[]", to: "plugin/manifest.json")
        #expect(try status(["pack", fixture.folder.string]) == "65")
        #expect(Program.wantsJSON(["inspect", "--json"]) && !Program.wantsJSON(["inspect", "--", "--json"]))
    }
}
