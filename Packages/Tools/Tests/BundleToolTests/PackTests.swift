import BundleTool
import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import Signing
import Testing
import Zip

@Suite("Packing")
struct PackTests {
    @Test("puts manifest, library and resources where a host looks for them")
    func contents() throws {
        let fixture = try PluginFixture()
        let package = try fixture.packer().pack(into: fixture.output)
        #expect(package == fixture.output.appending("com.example.app.shop-1.1.0.zip"))
        let archive = try ZipArchive(path: package.string)
        let library = "lib/\(Platform.triple)/libShop.so"
        #expect(
            archive.entries.filter { !$0.isDirectory }.map(\.name) == [
                "Resources/Pages/help.json", "Resources/en.lproj/Localizable.json",
                "Resources/zh-Hans.lproj/Localizable.json", library, "manifest.json",
            ]
        )
        #expect(try archive.contents(of: "manifest.json", limit: 1 << 20) == Array(PluginFixture.manifest.utf8))
        #expect(try archive.contents(of: library, limit: 1 << 20) == PluginFixture.built.get())
    }

    @Test("makes a package that a catalog offers")
    func catalog() throws {
        let fixture = try PluginFixture()
        _ = try fixture.packer().pack(into: fixture.output)
        let listing = try DirectoryCatalog(folder: fixture.output).listing()
        #expect(listing.packages.map(\.manifest.identity.description) == ["com.example.app.shop@1.1.0"])
        #expect(listing.problems.isEmpty)
    }

    @Test("gives the same bytes for the same content, whatever the clock and the library's mode")
    func deterministic() throws {
        let fixture = try PluginFixture()
        let first = try fixture.bytes(of: try fixture.packer().pack(into: fixture.output))
        let old = Date(timeIntervalSince1970: 1_000_000_000)
        let attributes: [FileAttributeKey: Any] = [.modificationDate: old, .posixPermissions: 0o755]
        try FileManager.default.setAttributes(attributes, ofItemAtPath: fixture.library.string)
        let page = fixture.folder.appending("Resources/Pages/help.json")
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: page.string)
        #expect(try fixture.bytes(of: try fixture.packer().pack(into: fixture.output)) == first)
        try fixture.write(PluginFixture.built.get() + [0], to: "libShop.so")
        #expect(try fixture.bytes(of: try fixture.packer().pack(into: fixture.output)) != first)
    }

    @Test("takes manifest and resources from elsewhere when it is told to")
    func elsewhere() throws {
        let fixture = try PluginFixture()
        try fixture.write(PluginFixture.assets, to: "other.json")
        try fixture.write("x", to: "images/logo.txt")
        let packer = Packer(
            folder: fixture.folder, manifest: fixture.root.appending("other.json"),
            resources: fixture.root.appending("images"))
        let inspection = try PackageInspection(of: try packer.pack(into: fixture.output))
        #expect(inspection.files.map(\.name) == ["Resources/logo.txt", "manifest.json"])
        #expect(inspection.manifest.identity.description == "com.example.assets.theme@2.0.0")
    }

    @Test("needs no resources when none are named and none are there")
    func withoutResources() throws {
        let fixture = try PluginFixture(manifest: PluginFixture.assets)
        try fixture.remove("plugin/Resources")
        let package = try Packer(folder: fixture.folder).pack(into: fixture.output)
        #expect(try PackageInspection(of: package).files.map(\.name) == ["manifest.json"])
    }

    @Test("reports all problems of manifest, resources and library at once, and writes nothing")
    func problems() throws {
        let fixture = try PluginFixture(
            manifest: """
                {"formatVersion": 1, "identifier": "shop", "version": "1", "name": "Shop", "kind": "app",
                "entry": "libShop.so", "coreABI": 1, "routes": [
                {"pattern": "a", "page": "a", "layout": "help/abuot"}, {"pattern": "b", "page": "b", "layout": "hlep/x"},
                {"pattern": "c", "page": "c", "layout": "broken/x"}, {"pattern": "d", "page": "d", "layout": 7}]}
                """)
        try fixture.write("{\"pages\": {\"x\": {\"content\": []}}}", to: "plugin/Resources/Pages/broken.json")
        try fixture.write("{\"a\": {\"b\": \"c\"}}", to: "plugin/Resources/fr.lproj/Localizable.json")
        try fixture.write("{", to: "plugin/Resources/de.lproj/Localizable.json")
        try fixture.write("#!/bin/sh", to: "libShop.so")
        let error = try #require(throws: AtriumError.self) { try fixture.packer().pack(into: fixture.output) }
        #expect(error.code == .manifestInvalid)
        let expected = [
            "identifier: \"shop\"", "version: \"1\"", "routes[3].layout: a text",
            "Resources/Pages/broken.json: a page layout is expected; pages.x: \"title\" is missing",
            "Resources/fr.lproj/Localizable.json: a flat object of texts is expected; a: a text is expected here",
            "Resources/de.lproj/Localizable.json: a flat object of texts is expected; line 1, column 2: a name in",
            "routes[0].layout: Resources/Pages/help.json has no page \"abuot\"; did you mean \"about\"?",
            "routes[1].layout: there is no Resources/Pages/hlep.json; did you mean \"Resources/Pages/help.json\"?",
            "libShop.so: it is no ELF file",
        ]
        for start in expected {
            #expect(error.problems.contains { $0.hasPrefix(start) }, "\(start) is not in \(error.problems)")
        }
        #expect(error.problems.count == expected.count, "\(error.problems)")
        #expect(!fixture.exists(fixture.output))
    }

    @Test("says that the manifest is wrong when it names another Core than the library was built for")
    func manifestABI() throws {
        let fixture = try PluginFixture(
            manifest: PluginFixture.manifest.replacing("\"coreABI\": 1", with: "\"coreABI\": 2"))
        let error = try #require(throws: AtriumError.self) { try fixture.packer().pack(into: fixture.output) }
        #expect(
            error.problems == [
                "libShop.so: manifest.json says \"coreABI\": 2, and the library was built for Core ABI 1; "
                    + "the plugin's author must write \"coreABI\": 1 there"
            ])
    }

    @Test("heads a missing layout with the plugin, and not with its manifest as a resource")
    func missingLayout() throws {
        let fixture = try PluginFixture()
        try fixture.remove("plugin/Resources")
        let error = try #require(throws: AtriumError.self) { try fixture.packer().pack(into: fixture.output) }
        #expect(error.code == .resourceInvalid && error.subject == fixture.folder.string)
        #expect(error.report.message == "the resources of \"\(fixture.folder)\" cannot be packed")
        #expect(error.report.details == ["routes[1].layout: there is no Resources/Pages/help.json"])
    }

    @Test(
        "refuses a file that cannot be the library",
        arguments: [
            ("", "no ELF file"), ("\u{7F}EL", "truncated"), ("plugin_entry_v1\0\u{7F}ELF", "no ELF file"),
            ("\u{7F}ELF\u{2}\u{1}\u{1} plugin_entry_v1\0", "truncated"), ("\u{7F}ELF plugin_entry_v1\0", "malformed"),
        ])
    func library(content: String, clause: String) throws {
        let fixture = try PluginFixture()
        try fixture.write(content, to: "libShop.so")
        let error = try #require(throws: AtriumError.self) { try fixture.packer().pack(into: fixture.output) }
        #expect(error.code == .libraryUnloadable)
        #expect(error.problems.count == 1 && error.problems[0].contains(clause), "\(error.problems)")
        #expect(!fixture.exists(fixture.output))
    }

    @Test("refuses a library that no host would install, in the host's words")
    func preflight() throws {
        let fixture = try PluginFixture()
        let source = "int nobody(void); int use(void) { return nobody(); }"
        try fixture.write(BundleToolTests.library(ofC: source), to: "libShop.so")
        let error = try #require(throws: AtriumError.self) { try fixture.packer().pack(into: fixture.output) }
        let verdict = LibraryPreflight.judge(try fixture.bytes(of: fixture.library), named: "libShop.so")
        #expect(error.code == .libraryUnloadable && error.problems.count == 2)
        #expect(error.problems == verdict.findings.map { "libShop.so: \($0.sentence)" })
        #expect(!fixture.exists(fixture.output))

        var foreign = try PluginFixture.built.get()
        foreign.replaceSubrange(18..<20, with: [183, 0])
        try fixture.write(foreign, to: "libShop.so")
        let other = try #require(throws: AtriumError.self) { try fixture.packer().pack(into: fixture.output) }
        #expect(other.code == .libraryIncompatible)
    }

    @Test("takes the folders of the machine that built a library out of it, so that two machines pack the same")
    func searchPath() throws {
        let fixture = try PluginFixture()
        let build = { (folder: String) in
            try BundleToolTests.library(ofC: PluginFixture.entry, "-Wl,-rpath,\(folder):$ORIGIN")
        }
        try fixture.write(build("/home/somebody/swift/lib"), to: "libShop.so")
        let inspection = try PackageInspection(of: try fixture.packer().pack(into: fixture.output))
        #expect(inspection.library?.facts.searchPath == ["$ORIGIN"])
        #expect(inspection.library?.isLoadable == true)
    }

    @Test("refuses a library for a bundle of kind assets, and code without one, and says what to do")
    func libraryFits() throws {
        let app = try PluginFixture()
        let needed = try #require(throws: PackError.self) {
            try Packer(folder: app.folder).pack(into: app.output)
        }
        #expect(needed.exitStatus == .usage)
        #expect(needed.report.remedy?.contains("--library") == true)
        let assets = try PluginFixture(manifest: PluginFixture.assets)
        let unwanted = try #require(throws: PackError.self) { try assets.packer().pack(into: assets.output) }
        #expect(unwanted.exitStatus == .usage)
        #expect(unwanted.report.message.contains("takes no library"))
        #expect(!app.exists(app.output) && !assets.exists(assets.output))
    }

    @Test("names what is not there", arguments: ["plugin", "plugin/manifest.json", "libShop.so"])
    func missing(name: String) throws {
        let fixture = try PluginFixture()
        try fixture.remove(name)
        let error = try #require(throws: PackError.self) { try fixture.packer().pack(into: fixture.output) }
        #expect(error.exitStatus == .notFound)
        #expect(error.report.subject == fixture.root.appending(name).string)
    }

    @Test("refuses a named resources folder that is not there")
    func missingResources() throws {
        let fixture = try PluginFixture(manifest: PluginFixture.assets)
        let packer = Packer(folder: fixture.folder, resources: fixture.root.appending("nowhere"))
        #expect(throws: PackError.self) { try packer.pack(into: fixture.output) }
    }

    @Test("refuses a link among the resources")
    func link() throws {
        let fixture = try PluginFixture()
        let link = fixture.folder.appending("Resources/passwd")
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "/etc/passwd")
        let error = try #require(throws: AtriumError.self) { try fixture.packer().pack(into: fixture.output) }
        #expect(error.code == .resourceInvalid)
        #expect(error.problems == ["Resources/passwd: it is neither a file nor a folder"])
    }

    @Test("leaves the older package when no host would take the new one", arguments: [true, false])
    func refusedByHosts(signing: Bool) throws {
        let fixture = try PluginFixture(manifest: PluginFixture.assets)
        let sealer = signing ? Sealer(key: try .generate(), team: "com.example", signedAt: 0) : nil
        let packer = Packer(folder: fixture.folder, sealedBy: sealer)
        let package = try packer.pack(into: fixture.output)
        let before = try fixture.bytes(of: package)
        for number in 0..<SealedPackage.entryLimit { try fixture.write([], to: "plugin/Resources/many/\(number)") }
        let error = try #require(throws: AtriumError.self) { try packer.pack(into: fixture.output) }
        #expect(error.code == .packageInvalid && error.subject == package.lastComponent)
        #expect(try fixture.bytes(of: package) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.output.string) == [package.lastComponent])
    }

    @Test("says so when the output cannot be written")
    func output() throws {
        let fixture = try PluginFixture()
        try fixture.write("a file", to: "out/new")
        let error = try #require(throws: AtriumError.self) { try fixture.packer().pack(into: fixture.output) }
        #expect(error.code == .inputOutput)
        #expect(error.exitStatus == .ioError)
    }
}
