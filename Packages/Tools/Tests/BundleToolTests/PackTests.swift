import Authoring
import BundleFormat
import Preflight
import HostSystem
import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import Signing
import Testing
import Zip

@testable import BundleTool

@Suite("Packing plugins", .tags(.large))
struct PackTests {
    private let fixture: PluginFixture

    init() throws { fixture = try PluginFixture() }

    @Test("A package contains manifest, library and resources where a host reads them, and a catalog offers it")
    func contents() throws {
        let package = try fixture.packer().pack(into: fixture.output)
        #expect(package == fixture.package)
        let archive = try ZipArchive(path: package.string)
        let library = "lib/\(Platform.triple)/libShop.so"
        let texts = ["en", "zh-Hans"].map { "Resources/\($0).lproj/Localizable.json" }
        let names = archive.entries.filter { !$0.isDirectory }.map(\.name)
        #expect(names == ["Resources/Pages/help.json"] + texts + [library, "manifest.json"])
        #expect(try archive.contents(of: "manifest.json", limit: 1 << 20) == Array(PluginFixture.manifest.utf8))
        #expect(try archive.contents(of: library, limit: 1 << 20) == PluginFixture.built.get())
        let listing = try DirectoryCatalog(folder: fixture.output).listing()
        #expect(listing.packages.map(\.manifest.identity.description) == ["com.example.app.shop@1.1.0"])
        #expect(listing.problems.isEmpty)
    }

    @Test("Packing the same content yields the same bytes, whatever the time and the library's mode")
    func deterministic() throws {
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

    @Test("The manifest and the resources can be read from other paths")
    func elsewhere() throws {
        try fixture.write(PluginFixture.assets, to: "other.json")
        try fixture.write("x", to: "images/logo.txt")
        let (manifest, resources) = (fixture.root.appending("other.json"), fixture.root.appending("images"))
        let packer = Packer(folder: fixture.folder, manifest: manifest, resources: resources)
        let inspection = try PackageInspection(of: try packer.pack(into: fixture.output))
        #expect(inspection.files.map(\.name) == ["Resources/logo.txt", "manifest.json"])
        #expect(inspection.manifest.identity.description == "com.example.assets.theme@2.0.0")
    }

    @Test("The resources are optional if no folder is named, and an error if the named one does not exist")
    func withoutResources() throws {
        let fixture = try PluginFixture(manifest: PluginFixture.assets)
        try fixture.remove("plugin/Resources")
        let package = try Packer(folder: fixture.folder).pack(into: fixture.output)
        #expect(try PackageInspection(of: package).files.map(\.name) == ["manifest.json"])
        let packer = Packer(folder: fixture.folder, resources: fixture.root.appending("nowhere"))
        #expect(throws: CommandError.self) { try packer.pack(into: fixture.output) }
    }

    @Test("All problems of the manifest, the resources and the library are reported at once, and nothing is written")
    func problems() throws {
        let fixture = try PluginFixture(
            manifest: """
                {"formatVersion": 1, "identifier": "shop", "version": "1", "name": "Shop", "kind": "app",
                "entry": "libShop.so", "coreABI": 3, "routes": [
                {"pattern": "a", "page": "a", "layout": "help/abuot"}, {"pattern": "b", "page": "b", "layout": "hlep/x"},
                {"pattern": "c", "page": "c", "layout": "broken/x"}, {"pattern": "d", "page": "d", "layout": 7}]}
                """)
        try fixture.write("{\"pages\": {\"x\": {\"content\": []}}}", to: "plugin/Resources/Pages/broken.json")
        try fixture.write("{\"a\": {\"b\": \"c\"}}", to: "plugin/Resources/fr.lproj/Localizable.json")
        try fixture.write("{", to: "plugin/Resources/de.lproj/Localizable.json")
        try fixture.write("#!/bin/sh", to: "libShop.so")
        let error = try fixture.packRefusal()
        #expect(error.code == .manifestInvalid)
        let expected = [
            "identifier: \"shop\"", "version: \"1\"", "routes[3].layout: expected a string",
            "Resources/Pages/broken.json: expected a page layout; pages.x: \"title\" is missing",
            "Resources/fr.lproj/Localizable.json: expected a flat object of strings; a: expected a string",
            "Resources/de.lproj/Localizable.json: expected a flat object of strings; line 1, column 2: expected a name in",
            "routes[0].layout: Resources/Pages/help.json has no page \"abuot\"; did you mean \"about\"?",
            "routes[1].layout: there is no Resources/Pages/hlep.json; did you mean \"Resources/Pages/help.json\"?",
            "libShop.so: it is not an ELF file",
        ]
        let sentences = error.problems.map(\.sentence)
        for start in expected { #expect(sentences.contains { $0.hasPrefix(start) }, "\(start) is not in \(sentences)") }
        #expect(sentences.count == expected.count, "\(sentences)")
        #expect(!fixture.exists(fixture.output))
    }

    @Test("A manifest with another Core ABI than the library's is reported as an error of the manifest")
    func manifestABI() throws {
        let fixture = try PluginFixture(
            manifest: PluginFixture.manifest.replacing("\"coreABI\": 3", with: "\"coreABI\": 1"))
        let differs = "manifest.json says \"coreABI\": 1, but the library was built for Core ABI 3"
        let remedy = "the plugin's author must change it to \"coreABI\": 3"
        #expect(try fixture.packRefusal().problems.map(\.sentence) == ["libShop.so: \(differs); \(remedy)"])
    }

    @Test("A missing layout is reported for the plugin and not as a resource of its manifest")
    func missingLayout() throws {
        try fixture.remove("plugin/Resources")
        let error = try fixture.packRefusal()
        #expect(error.code == .resourceInvalid && error.subject == fixture.folder.string)
        #expect(error.report.message == "the resources of \"\(fixture.folder)\" cannot be packed")
        #expect(error.report.details == ["routes[1].layout: there is no Resources/Pages/help.json"])
    }

    @Test("A library that no host would install is rejected with the host's message")
    func preflight() throws {
        let source = "int nobody(void); int use(void) { return nobody(); }"
        try fixture.write(BundleToolTests.library(ofC: source), to: "libShop.so")
        let error = try fixture.packRefusal()
        let report = LibraryPreflight.validate(try fixture.bytes(of: fixture.library), named: "libShop.so")
        #expect(error.code == .libraryUnloadable && error.problems.count == 2)
        #expect(error.problems.map(\.sentence) == report.findings.map { "libShop.so: \($0.reason.sentence)" })
        #expect(!fixture.exists(fixture.output))

        var foreign = try PluginFixture.built.get()
        foreign.replaceSubrange(18..<20, with: [183, 0])
        try fixture.write(foreign, to: "libShop.so")
        #expect(try fixture.packRefusal().code == .libraryIncompatible)
    }

    @Test("Search paths of the build machine are removed from a library, so that two machines produce the same package")
    func searchPath() throws {
        let manifest = PluginFixture.assets.replacing(
            "\"assets\"", with: #""lib", "entry": "libShop.so", "coreABI": 3"#)
        let fixture = try PluginFixture(manifest: manifest)
        try fixture.write(
            BundleToolTests.library(
                ofC: PluginFixture.entry, "-Wl,-soname,libShop.so", "-Wl,-rpath,/home/somebody/swift/lib:$ORIGIN"),
            to: "libShop.so")
        let inspection = try PackageInspection(of: try fixture.packer().pack(into: fixture.output))
        #expect(inspection.library?.facts.searchPath == ["$ORIGIN"])
        #expect(inspection.library?.isLoadable == true)
    }

    @Test("A library for a bundle of kind assets, and a missing library for code, are rejected with a remedy")
    func libraryFits() throws {
        let app = try PluginFixture()
        let needed = try #require(throws: CommandError.self) { try Packer(folder: app.folder).pack(into: app.output) }
        #expect(needed.exitStatus == .usage && needed.report.remedy?.contains("--library") == true)
        let assets = try PluginFixture(manifest: PluginFixture.assets)
        let unwanted = try assets.commandRefusal()
        #expect(unwanted.exitStatus == .usage)
        #expect(unwanted.report.message.contains("takes no library"))
        #expect(!app.exists(app.output) && !assets.exists(assets.output))
    }

    @Test(
        "A missing file of the plugin is named in the error",
        arguments: ["plugin", "plugin/manifest.json", "libShop.so"])
    func missing(name: String) throws {
        try fixture.remove(name)
        let error = try fixture.commandRefusal()
        #expect(error.exitStatus == .notFound)
        #expect(error.report.subject == fixture.root.appending(name).string)
    }

    @Test("A symbolic link among the resources is rejected")
    func link() throws {
        let link = fixture.folder.appending("Resources/passwd")
        try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: "/etc/passwd")
        let error = try fixture.packRefusal()
        #expect(error.code == .resourceInvalid)
        #expect(error.problems.map(\.sentence) == ["Resources/passwd: it is neither a file nor a folder"])
    }

    @Test("A package that hosts would reject does not replace an older package", arguments: [true, false])
    func refusedByHosts(signing: Bool) throws {
        let fixture = try PluginFixture(manifest: PluginFixture.assets)
        let sealer = signing ? Sealer(key: try .generate(), team: "com.example", signedAt: 0) : nil
        let packer = Packer(folder: fixture.folder, sealer: sealer)
        let package = try packer.pack(into: fixture.output)
        let before = try fixture.bytes(of: package)
        for number in 0..<SealedPackage.entryLimit { try fixture.write([], to: "plugin/Resources/many/\(number)") }
        let error = try #require(throws: AtriumError.self) { try packer.pack(into: fixture.output) }
        #expect(error.code == .packageInvalid && error.subject == package.lastComponent)
        #expect(try fixture.bytes(of: package) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.output.string) == [package.lastComponent])
    }

    @Test("An output folder that cannot be written is an error")
    func output() throws {
        try fixture.write("a file", to: "out/new")
        let error = try fixture.packRefusal()
        #expect(error.code == .inputOutput && error.exitStatus == .ioError)
    }
}
