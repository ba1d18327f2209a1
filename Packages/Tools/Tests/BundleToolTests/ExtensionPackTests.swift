import Authoring
import BundleFormat
import Console
import HostSystem
import PluginCore
import Preflight
import Testing

@testable import BundleTool

@Suite("Packing a bundle with extensions", .tags(.large))
struct ExtensionPackTests {
    private let fixture: PluginFixture

    init() throws { fixture = try PluginFixture(manifest: Self.manifest()) }

    static let share = Result {
        try library(
            ofSwift: """
                import PluginCore
                import PluginExtension

                final class Send: ExtensionDelegate {
                    static let point = ExtensionPoints.share
                    init(environment: ExtensionEnvironment) throws {}
                    func beginRequest(_ input: NoValue, in context: ExtensionContext<NoValue>) throws {
                        context.completeRequest()
                    }
                }

                @c(plugin_entry_v3)
                public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: Send.self) }
                """)
    }

    /// Returns the fixture's manifest with an extension.
    static func manifest(_ fields: String = "") -> String {
        PluginFixture.manifest.dropLast() + """
            , "extensions": [{"identifier": "com.example.app.shop.send", "entry": "libShopSend.so", "name": "Shop"\(fields)}]}
            """
    }

    @Test("The library of an extension beside the plugin's is packed, and its code says its point")
    func packed() throws {
        try fixture.write(Self.share.get(), to: "libShopSend.so")
        var additions = ManifestAdditions()
        let package = try fixture.packer().pack(into: fixture.output, added: { additions = $0 })
        let inspection = try PackageInspection(of: package)
        #expect(inspection.manifest.layerFields.contains(#""point":"share""#))
        #expect(inspection.extensionLibraries.map(\.report.isLoadable) == [true])
        #expect(inspection.files.contains { $0.name.hasPrefix("lib/") && $0.name.hasSuffix("/libShopSend.so") })
        #expect(additions.extensions == ["com.example.app.shop.send at share"])
        let text = inspection.text(for: .plain)
        #expect(text.contains("com.example.app.shop.send  share"), "\(text)")
    }

    @Test("A library elsewhere is named by the command line")
    func named() throws {
        let fixture = try PluginFixture(manifest: Self.manifest(#", "point": "share""#))
        try fixture.write(Self.share.get(), to: "elsewhere/libShopSend.so")
        let library = fixture.root.appending("elsewhere/libShopSend.so").string
        let text = try bundletool(fixture.packing + ["--extension-library", library]).text
        #expect(text.contains("1 extension"), "\(text)")
    }

    @Test("A missing library of an extension, and one that no extension has, are errors with a remedy")
    func wrongFiles() throws {
        let missing = try fixture.commandRefusal()
        #expect(missing.report.remedy?.contains("--extension-library") == true, "\(missing.report)")
        let others = [fixture.root.appending("libOther.so")]
        let packer = Packer(folder: fixture.folder, library: fixture.library, extensionLibraries: others)
        let other = try #require(throws: CommandError.self) { try packer.pack(into: fixture.output) }
        #expect(other.report.code == "libraryUnwanted" && other.exitStatus == .usage)
    }

    @Test("A point in the manifest that differs from the code is reported with both")
    func differs() throws {
        let fixture = try PluginFixture(manifest: Self.manifest(#", "point": "action""#))
        try fixture.write(Self.share.get(), to: "libShopSend.so")
        let differs = "at(place: extensions[0].point, problem: codeDiffers(bound: \"share\", written: \"action\"))"
        #expect(try fixture.packRefusal().problems.map(\.description) == [differs])
    }

    @Test("The library that an extension must link is named by pack and by lint")
    func unlinked() throws {
        try fixture.write(
            library(ofC: "int it(void) __asm__(\"$s6SQLite0A5ErrorVMa\"); int plugin_entry_v3(void) { return it(); }"),
            to: "libShopSend.so")
        let error = try fixture.packRefusal()
        let setting = ".linkedLibrary(\"SQLite\")"
        #expect(error.code == .libraryUnloadable && error.problems.count == 1, "\(error)")
        #expect(error.problems.first?.sentence.contains(setting) == true, "\(error.problems.map(\.sentence))")
        let lint = try bundletool("lint", fixture.folder.string, "--library", fixture.library.string).text
        #expect(lint.contains("library-unloadable") && lint.contains(setting), "\(lint)")
    }

    @Test("The library of an extension that no host can load is rejected, and so is one without an extension")
    func unloadable() throws {
        try fixture.write("no library", to: "libShopSend.so")
        let unloadable = try fixture.packRefusal()
        #expect(unloadable.code == .libraryUnloadable && unloadable.problems.count == 1, "\(unloadable)")
        #expect(unloadable.problems.contains { $0.description.contains("what: notELF") }, "\(unloadable)")
        try fixture.write(PluginFixture.built.get(), to: "libShopSend.so")
        let error = try fixture.commandRefusal()
        #expect(error.report.code == "codeNotQueried" && error.report.subject.hasSuffix("/libShopSend.so"))
        #expect(error.report.message.hasSuffix(": its entry describes a plugin and no extension"))
    }
}
