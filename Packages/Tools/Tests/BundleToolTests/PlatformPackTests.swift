import Authoring
import BundleFormat
import Console
import FoundationEssentials
import HostSystem
import PluginCore
import Preflight
import Testing

@testable import BundleTool

@Suite("Packing for several platforms", .tags(.large))
struct PlatformPackTests {
    private static let other = Platform.all.first { $0 != Platform.triple } ?? ""
    private static let machine = String(other.prefix { $0 != "-" })
    private static let foreign = Result { try library(forMachine: machine) }

    /// The plugin's folder with its library for this machine, and one for another.
    private static func fixture(manifest: String = PluginFixture.manifest) throws -> (PluginFixture, foreign: String) {
        let fixture = try PluginFixture(manifest: manifest)
        try fixture.write(foreign.get(), to: "foreign/libShop.so")
        return (fixture, fixture.root.appending("foreign/libShop.so").string)
    }

    @discardableResult
    private static func pack(_ fixture: PluginFixture, _ words: String...) throws -> Reply {
        try bundletool(["pack", fixture.folder.string, "-o", fixture.output.string] + words)
    }

    @Test("A package has the libraries of both platforms, and inspect lists their architectures")
    func both() throws {
        let (fixture, foreign) = try Self.fixture()
        try Self.pack(fixture, "-l", "\(Self.other)=\(foreign)", "-l", fixture.library.string)
        let package = fixture.package
        let inspection = try PackageInspection(of: package)
        let places = inspection.files.map(\.name).filter { $0.hasPrefix("lib/") }
        #expect(places == Platform.all.map { "lib/\($0)/libShop.so" })
        #expect(inspection.library?.isLoadable == true && inspection.manifest.routes.count == 2)
        let architectures = Platform.all.map { String($0.prefix { $0 != "-" }) }
        let text = try bundletool("inspect", package.string).text
        #expect(text.contains("architectures    \(architectures.joined(separator: ", "))\n"), "\(text)")
        #expect(text.contains("platforms        \(Platform.all.joined(separator: ", "))\n"), "\(text)")
        #expect(!text.contains("\n  - "), "\(text)")
        let platforms = try bundletool("inspect", package.string, "--json").json["platforms"]
        #expect(platforms["triple"] == .texts(Platform.all) && platforms["architecture"] == .texts(architectures))
        #expect(platforms["isContained"] == .list(Platform.all.map { _ in true }))
        // With the triple of this machine, and in another order, the package is the same.
        let before = try fixture.bytes(of: package)
        try Self.pack(fixture, "-l", "\(Platform.triple)=\(fixture.library)", "-l", "\(Self.other)=\(foreign)")
        #expect(try fixture.bytes(of: package) == before)
    }

    /// Writes the library as if another compiler had built it, and returns its path.
    private static func otherCompiler(_ name: String, _ fixture: PluginFixture) throws -> String {
        var bytes = try fixture.bytes(of: fixture.library)
        while let place = bytes.firstRange(of: Array("Clang ".utf8)) {
            bytes.replaceSubrange(place, with: "\(name) ".utf8)
        }
        try fixture.write(bytes, to: "\(name)/libShop.so")
        return fixture.root.appending("\(name)/libShop.so").string
    }

    @Test(
        "Libraries of several SDKs lie in a folder for each compiler and Core ABI, and inspect and publish say for which hosts"
    )
    func builds() throws {
        let (fixture, foreign) = try Self.fixture()
        let path = try Self.otherCompiler("Klang", fixture)
        let build = try #require(
            LibraryPreflight.build(of: fixture.bytes(of: FilePath(path)), for: Platform.triple))
        #expect(build.compiler?.hasPrefix("klang-") == true)
        let words = fixture.packing + ["-l", path, "-l", "\(Self.other)=\(foreign)"]
        try bundletool("keygen", "--output", fixture.root.appending("team").string, "--no-password")
        let signing = ["--key", fixture.root.appending("team.key").string, "--team", "com.example"]
        try bundletool(words + signing)
        let package = try SealedPackage(opening: fixture.package)
        #expect(package.platforms == [Self.other, LibraryBuild.host.folder, build.folder].sorted())
        // The code of this machine's build was asked.
        #expect(package.manifest.routes.count == 2)
        let reply = try bundletool("inspect", fixture.package.string)
        #expect(!reply.text.contains("\n  - "), "\(reply.text)")
        #expect(reply.text.contains(build.words) && reply.text.contains(LibraryBuild.host.words), "\(reply.text)")
        let inspected = try bundletool("inspect", fixture.package.string, "--json").json["platforms"]["hosts"]
        #expect("\(inspected)".contains(build.compiler ?? "?"), "\(inspected)")
        // The catalog names them, too, and has a part for each.
        let catalog = try CatalogFixture()
        let published = try catalog.run("publish", fixture.package.string)
        for words in [build.words, LibraryBuild.host.words] {
            #expect(published.text.contains("  for \(words) ("), "\(published.text)")
            #expect(try bundletool("catalog", catalog.site.string).text.contains("  \(words) "))
        }
        let json = try bundletool("catalog", catalog.site.string, "--json").json["packages"]
        #expect("\(json)".contains(build.compiler ?? "?") && "\(json)".contains("coreABI"), "\(json)")

        // Twice the same build, one that names none, and an extension's library without the plugin's.
        let twice = #expect(throws: UsageError.self) { try bundletool(words + ["-l", path]) }
        #expect(twice?.report.remedy?.contains("for other hosts than those before it") == true)
        try fixture.write(Array("no library".utf8), to: "none/libShop.so")
        let none = fixture.root.appending("none/libShop.so").string
        let unknown = #expect(throws: CommandError.self) { try bundletool(fixture.packing + ["-l", none]) }
        #expect(unknown?.report.code == "buildUnknown" && unknown?.report.remedy != nil)
        let stray = try Self.otherCompiler("Dlang", fixture)
        #expect(throws: UsageError.self) { try bundletool(words + ["--extension-library", stray]) }
    }

    @Test(
        "A package whose folder does not say for which hosts its libraries are is not published",
        arguments: ["lie", "form"])
    func lies(_ kind: String) throws {
        let (fixture, catalog) = (try PluginFixture(), try CatalogFixture())
        let host = LibraryBuild.host
        let folder = kind == "lie" ? "\(host.platform)_klang-1-0_core-\(host.coreABI ?? 0)" : host.folder + "x"
        let package = try catalog.package(
            platforms: [folder], library: fixture.bytes(of: fixture.library))
        let error = #expect(throws: CommandError.self) { try catalog.run("publish", package) }
        #expect(error?.report.code == "libraryOfOtherBuild" && error?.exitStatus == .badInput)
        #expect(error?.report.message.contains(host.compiler ?? "?") == true, "\(String(describing: error?.report))")
    }

    @Test("A package that lacks the library of an extension in the folder of some hosts is not published")
    func incomplete() throws {
        let (fixture, catalog) = (try PluginFixture(), try CatalogFixture())
        let (library, folder) = (try fixture.bytes(of: fixture.library), LibraryBuild.host.folder)
        let send = #"{"identifier": "com.example.app.shop.send", "entry": "libSend.so", "point": "share", "name": "A"}"#
        let package = try catalog.package(
            platforms: [Platform.triple, folder], library: library, fields: #", "extensions": [\#(send)]"#,
            libraries: ["lib/\(Platform.triple)/libSend.so": library])
        let error = #expect(throws: CommandError.self) { try catalog.run("publish", package) }
        #expect(error?.report.code == "libraryMissing" && error?.exitStatus == .badInput)
        #expect(error?.report.message.contains("lacks libSend.so in lib/\(folder)") == true)
    }

    @Test("inspect says which libraries a part leaves out, and for which platform alone it is")
    func part() throws {
        let (fixture, foreign) = try Self.fixture()
        try bundletool("keygen", "--output", fixture.root.appending("team").string, "--no-password")
        try Self.pack(
            fixture, "-l", fixture.library.string, "-l", "\(Self.other)=\(foreign)", "--key",
            fixture.root.appending("team.key").string, "--team", "com.example")
        let part = fixture.root.appending("com.example.app.shop-1.1.0.zip")
        try SealedPackage(opening: fixture.package).writePart(for: Self.other, to: part)
        let text = try bundletool("inspect", part.string).text
        #expect(text.contains("architecture     \(Self.machine)\n"), "\(text)")
        #expect(text.contains("platforms        \(Self.other)\n"), "\(text)")
        #expect(text.contains("left out         \(Platform.triple)\n"), "\(text)")
        #expect(text.contains("no host of this release can load it"), "\(text)")
        let key = fixture.root.appending("team.pub").string
        #expect(try bundletool("verify", part.string, "--key", key).status == .done)
    }

    @Test("Each library must be for its platform's machine, and be complete as far as that can be checked here")
    func wrongMachine() throws {
        let (fixture, foreign) = try Self.fixture()
        func refusal(_ words: [String]) throws -> AtriumError {
            try #require(throws: AtriumError.self) { try bundletool(words) }
        }
        let swapped = try refusal(fixture.packing + ["-l", "\(Self.other)=\(fixture.library)"])
        #expect(swapped.code == .libraryIncompatible, "\(swapped)")
        let own = String(Platform.triple.prefix { $0 != "-" })
        let foreignMachine = "it is built for \(own), but was given as the library for \(Self.other)"
        let remedy = "the plugin's author must build it for \(Self.machine)"
        #expect(swapped.problems.map(\.sentence) == ["\(Self.other)/libShop.so: \(foreignMachine); \(remedy)"])
        let unfit = try refusal(["pack", fixture.folder.string, "-o", fixture.output.string, "-l", foreign])
        #expect(unfit.problems.contains { $0.sentence.contains("it is built for \(Self.machine)") })
        try fixture.write(library(forMachine: Self.machine, ofC: ""), to: "foreign/libShop.so")
        let empty = try refusal(fixture.packing + ["-l", "\(Self.other)=\(foreign)"])
        #expect(empty.problems.contains { $0.sentence.contains("does not export") })
        #expect(!fixture.exists(fixture.package))
    }

    @Test("Without a library for this machine, the error says that its code cannot be asked, and what to do")
    func ownNeeded() throws {
        let (fixture, foreign) = try Self.fixture()
        let error = #expect(throws: CommandError.self) { try Self.pack(fixture, "-l", "\(Self.other)=\(foreign)") }
        #expect(error?.exitStatus == .usage && error?.report.code == "libraryNeeded")
        #expect(error?.report.message.contains("libraries for \(Self.other), but none for this machine") == true)
        #expect(error?.report.remedy?.contains("add --library \(Platform.triple)=PATH") == true)
    }

    @Test("An unknown platform, two libraries for one, and an extension's library without the plugin's are refused")
    func wrongOptions() throws {
        let (fixture, foreign) = try Self.fixture()
        for words in [
            ["-l", "aarch64-linux-gnu=\(foreign)"], ["-l", "\(Self.other)="],
            ["-l", fixture.library.string, "-l", "\(Platform.triple)=\(fixture.library)"],
            ["-l", fixture.library.string, "--extension-library", "\(Self.other)=\(foreign)"],
        ] {
            #expect(throws: UsageError.self, "\(words)") { try bundletool(["pack", fixture.folder.string] + words) }
        }
        let unknown = #expect(throws: UsageError.self) { try Self.pack(fixture, "-l", "aarch64-linux-gnu=\(foreign)") }
        #expect(unknown?.report.remedy?.contains("aarch64-unknown-linux-gnu=<file>") == true)
    }

    @Test("The libraries of extensions are packed for each platform, and a missing one is named with it")
    func extensions() throws {
        let (fixture, foreign) = try Self.fixture(manifest: ExtensionPackTests.manifest(#", "point": "share""#))
        try fixture.write(ExtensionPackTests.share.get(), to: "libShopSend.so")
        let words = fixture.packing + ["-l", "\(Self.other)=\(foreign)"]
        let missing = #expect(throws: CommandError.self) { try bundletool(words) }
        #expect(missing?.report.message.contains("no such library beside its own for \(Self.other)") == true)
        #expect(missing?.report.remedy?.contains("\(Self.other)=") == true)
        try fixture.write(Self.foreign.get(), to: "elsewhere/libShopSend.so")
        let library = fixture.root.appending("elsewhere/libShopSend.so")
        try bundletool(words + ["--extension-library", "\(Self.other)=\(library)"])
        let files = try PackageFile(path: fixture.package).files()
        for platform in Platform.all {
            for entry in ["libShop.so", "libShopSend.so"] {
                #expect(files.contains { $0.name == "lib/\(platform)/\(entry)" }, "\(platform) \(entry)")
            }
        }
    }
}
