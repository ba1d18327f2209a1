import Authoring
import BundleFormat
import BundleTool
import Console
import FoundationEssentials
import HostSystem
import PluginCore
import Preflight
import Testing

@Suite("Packing for several platforms", .tags(.large))
struct PlatformPackTests {
    private static let other = Platform.all.first { $0 != Platform.triple } ?? ""
    private static let machine = String(other.prefix { $0 != "-" })
    private static let foreign = Result { try library(forMachine: machine) }

    /// The plugin's folder with its library for this machine, and one for another.
    private static func fixture(manifest: String = PluginFixture.manifest) throws -> (PluginFixture, foreign: FilePath)
    {
        let fixture = try PluginFixture(manifest: manifest)
        try fixture.write(foreign.get(), to: "foreign/libShop.so")
        return (fixture, fixture.root.appending("foreign/libShop.so"))
    }

    private static func pack(_ fixture: PluginFixture, _ words: String...) throws -> Reply {
        try Program.reply(to: ["pack", fixture.folder.string, "-o", fixture.output.string] + words, on: .plain)
    }

    @Test("A package has the libraries of both platforms, and inspect lists their architectures")
    func both() throws {
        struct Document: Decodable {
            struct Platform: Decodable {
                let triple: String
                let architecture: String?
                let isContained: Bool
            }
            let platforms: [Platform]
        }
        let (fixture, foreign) = try Self.fixture()
        _ = try Self.pack(fixture, "-l", "\(Self.other)=\(foreign)", "-l", fixture.library.string)
        let package = fixture.output.appending("com.example.app.shop-1.1.0.zip")
        let inspection = try PackageInspection(of: package)
        let places = inspection.files.map(\.name).filter { $0.hasPrefix("lib/") }
        #expect(places == Platform.all.map { "lib/\($0)/libShop.so" })
        #expect(inspection.library?.isLoadable == true && inspection.manifest.routes.count == 2)
        let architectures = Platform.all.map { String($0.prefix { $0 != "-" }) }
        let text = try Program.answer(to: ["inspect", package.string], on: .plain)
        #expect(text.contains("architectures    \(architectures.joined(separator: ", "))\n"), "\(text)")
        #expect(text.contains("platforms        \(Platform.all.joined(separator: ", "))\n"), "\(text)")
        #expect(!text.contains("\n  - "), "\(text)")
        let json = try Program.answer(to: ["inspect", package.string, "--json"], on: .plain)
        let platforms = try JSONDecoder().decode(Document.self, from: Data(json.utf8)).platforms
        #expect(platforms.map(\.triple) == Platform.all && platforms.map(\.architecture) == architectures)
        // With the triple of this machine, and in another order, the package is the same.
        let before = try fixture.bytes(of: package)
        _ = try Self.pack(
            fixture, "-l", "\(Platform.triple)=\(fixture.library)", "-l", "\(Self.other)=\(foreign)")
        #expect(try fixture.bytes(of: package) == before)
    }

    @Test("inspect says which libraries a part leaves out, and for which platform alone it is")
    func part() throws {
        let (fixture, foreign) = try Self.fixture()
        _ = try Program.reply(
            to: ["keygen", "--output", fixture.root.appending("team").string, "--no-password"], on: .plain)
        _ = try Self.pack(
            fixture, "-l", fixture.library.string, "-l", "\(Self.other)=\(foreign)", "--key",
            fixture.root.appending("team.key").string, "--team", "com.example")
        let part = fixture.root.appending("com.example.app.shop-1.1.0.zip")
        try SealedPackage(opening: fixture.output.appending(part.lastComponent)).writePart(for: Self.other, to: part)
        let text = try Program.answer(to: ["inspect", part.string], on: .plain)
        #expect(text.contains("architecture     \(Self.machine)\n"), "\(text)")
        #expect(text.contains("platforms        \(Self.other)\n"), "\(text)")
        #expect(text.contains("left out         \(Platform.triple)\n"), "\(text)")
        #expect(text.contains("no host of this release can load it"), "\(text)")
        let key = fixture.root.appending("team.pub").string
        #expect(try Program.reply(to: ["verify", part.string, "--key", key], on: .plain).status == .done)
    }

    @Test("Each library must be for its platform's machine, and be complete as far as that can be checked here")
    func wrongMachine() throws {
        let (fixture, foreign) = try Self.fixture()
        let swapped = #expect(throws: AtriumError.self) {
            try Self.pack(fixture, "-l", fixture.library.string, "-l", "\(Self.other)=\(fixture.library)")
        }
        #expect(swapped?.code == .libraryIncompatible, "\(swapped.debugDescription)")
        let own = String(Platform.triple.prefix { $0 != "-" })
        #expect(
            swapped?.problems.map(\.sentence) == [
                "\(Self.other)/libShop.so: it is built for \(own), but was given as the library for \(Self.other); "
                    + "the plugin's author must build it for \(Self.machine)"
            ])
        let unfit = #expect(throws: AtriumError.self) { try Self.pack(fixture, "-l", foreign.string) }
        #expect(unfit?.problems.contains { $0.sentence.contains("it is built for \(Self.machine)") } == true)
        try fixture.write(library(forMachine: Self.machine, ofC: ""), to: "foreign/libShop.so")
        let empty = #expect(throws: AtriumError.self) {
            try Self.pack(fixture, "-l", fixture.library.string, "-l", "\(Self.other)=\(foreign)")
        }
        #expect(
            empty?.problems.contains { $0.sentence.contains("does not export") } == true, "\(empty.debugDescription)")
        #expect(!fixture.exists(fixture.output.appending("com.example.app.shop-1.1.0.zip")))
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
            #expect(throws: UsageError.self, "\(words)") {
                try Program.reply(to: ["pack", fixture.folder.string] + words, on: .plain)
            }
        }
        let unknown = #expect(throws: UsageError.self) { try Self.pack(fixture, "-l", "aarch64-linux-gnu=\(foreign)") }
        #expect(unknown?.report.remedy?.contains("aarch64-unknown-linux-gnu=<file>") == true)
    }

    @Test("The libraries of extensions are packed for each platform, and a missing one is named with it")
    func extensions() throws {
        let manifest =
            PluginFixture.manifest.dropLast() + """
                , "extensions": [{"identifier": "com.example.app.shop.send", "entry": "libShopSend.so", "name": "Shop",
                "point": "share"}]}
                """
        let (fixture, foreign) = try Self.fixture(manifest: String(manifest))
        try fixture.write(ExtensionPackTests.share.get(), to: "libShopSend.so")
        let words = ["-l", fixture.library.string, "-l", "\(Self.other)=\(foreign)"]
        let missing = #expect(throws: CommandError.self) {
            try Program.reply(to: ["pack", fixture.folder.string, "-o", fixture.output.string] + words, on: .plain)
        }
        #expect(missing?.report.message.contains("no such library beside its own for \(Self.other)") == true)
        #expect(missing?.report.remedy?.contains("\(Self.other)=") == true)
        try fixture.write(Self.foreign.get(), to: "elsewhere/libShopSend.so")
        let library = fixture.root.appending("elsewhere/libShopSend.so")
        _ = try Program.reply(
            to: ["pack", fixture.folder.string, "-o", fixture.output.string] + words
                + ["--extension-library", "\(Self.other)=\(library)"], on: .plain)
        let files = try PackageFile(path: fixture.output.appending("com.example.app.shop-1.1.0.zip")).files()
        for platform in Platform.all {
            for entry in ["libShop.so", "libShopSend.so"] {
                #expect(files.contains { $0.name == "lib/\(platform)/\(entry)" }, "\(platform) \(entry)")
            }
        }
    }
}
