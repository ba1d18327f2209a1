import Console
import FoundationEssentials
import HostSystem
import PluginCore
import Testing
import ZipWriting

@testable import BundleTool

/// A plugin in a temporary folder, removed when the last reference is released.
final class PluginFixture: Sendable {
    private let temporary: TestFolder

    /// The folder, which contains only `plugin/` and `libShop.so`.
    var root: FilePath { FilePath(temporary.path) }

    var folder: FilePath { root.appending("plugin") }
    var library: FilePath { root.appending("libShop.so") }
    var output: FilePath { root.appending("out/new") }
    /// The package that is written there.
    var package: FilePath { output.appending("com.example.app.shop-1.1.0.zip") }
    /// The command line that packs it.
    var packing: [String] { ["pack", folder.string, "-l", library.string, "-o", output.string] }

    static let manifest = """
        {"formatVersion": 1, "identifier": "com.example.app.shop", "version": "1.1.0", "name": "Shop", "kind": "app",
        "summary": "Buys.", "entry": "libShop.so", "coreABI": 3,
        "requires": [{"bundle": "com.example.app.account", "versions": "^1.0.0"}],
        "routes": [{"pattern": "shop", "page": "home", "guards": ["Account.requireSignIn"]},
        {"pattern": "shop/about", "page": "about", "layout": "help/about"}],
        "targets": [{"name": "Shop", "actions": ["price", "itemPage"]}]}
        """
    static let assets = """
        {"formatVersion": 1, "identifier": "com.example.assets.theme", "version": "2.0.0", "name": "Theme",
        "kind": "assets"}
        """
    static let layout = #"{"pages": {"about": {"title": "@about", "content": [{"text": "Hello"}]}}}"#
    /// The library of every fixture, whose code declares what the manifest says.
    static let built = Result { try BundleToolTests.library(ofSwift: source()) }

    /// Returns the source of a plugin.
    ///
    /// - Parameter attributes: Swift code that follows the binding of the route "shop".
    static func source(_ attributes: String = "", _ declarations: String = "") -> String {
        """
        import PluginCore
        \(declarations)

        final class Shop: BundleDelegate {
            init(context: BundleContext) {}

            static var routes: some RouteSet<Shop> {
                Route(PageRoute<NoValue>("shop", name: "home")) { _ in Home() }
                    .guarded(by: ActionContract<NoValue, Bool>("requireSignIn", on: "Account"))
                    \(attributes)
            }

            static var targets: some TargetSet<Shop> {
                Action(ActionContract<Int, Int>("price", on: "Shop")) { _, id in id }
                Action(ActionContract<NoValue, any Page>("itemPage", on: "Shop")) { _ in await Home() }
            }
        }

        final class Home: Page {
            let title = "Home"
            let content: [PageElement] = []
        }

        @c(plugin_entry_v3)
        public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Shop.self) }
        """
    }

    /// The entry of a bundle of kind lib, in C.
    static let entry = "const void *plugin_entry_v3(void) { return NULL; }"

    init(manifest: String = PluginFixture.manifest) throws {
        temporary = try TestFolder()
        try write(manifest, to: "plugin/manifest.json")
        try write(Self.layout, to: "plugin/Resources/Pages/help.json")
        try write(#"{"about": "About"}"#, to: "plugin/Resources/en.lproj/Localizable.json")
        try write(#"{"about": "关于"}"#, to: "plugin/Resources/zh-Hans.lproj/Localizable.json")
        try write(Self.built.get(), to: "libShop.so")
    }

    func write(_ text: String, to name: String) throws { try temporary.write(text, to: name) }

    func write(_ bytes: [UInt8], to name: String) throws { try temporary.write(bytes, to: name) }

    /// Writes a package without any check, and returns its path.
    func writePackage(manifest: String, library: [UInt8]? = nil) throws -> FilePath {
        var writer = ZipWriter()
        try writer.add(Array(manifest.utf8), as: "manifest.json")
        try writer.add(library ?? Self.built.get(), as: "lib/\(Platform.triple)/libShop.so")
        let package = root.appending("com.example.app.shop-1.1.0.zip")
        try writer.write(to: package.string)
        return package
    }

    func remove(_ name: String) throws { try temporary.remove(name) }

    func exists(_ path: FilePath) -> Bool { FileManager.default.fileExists(atPath: path.string) }

    func bytes(of path: FilePath) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path.string))) }

    func packer() -> Packer { Packer(folder: folder, library: library) }

    /// Packs, and returns the error.
    func packRefusal() throws -> AtriumError {
        try #require(throws: AtriumError.self) { try packer().pack(into: output) }
    }

    /// Packs, and returns the error of the command.
    func commandRefusal() throws -> CommandError {
        try #require(throws: CommandError.self) { try packer().pack(into: output) }
    }
}
