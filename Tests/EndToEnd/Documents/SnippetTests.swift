import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The Swift code of the pages", .tags(.large), .timeLimit(.minutes(10)))
struct SnippetTests {
    /// A page whose code is compiled as one file.
    struct Page: Sendable, CustomTestStringConvertible {
        let path: String
        /// The modules that the page's statements use, without those that its code imports itself.
        var imports: [String] = ["PluginCore"]
        /// The parameters of the functions around statements.
        var values = ""
        /// Declarations that the page presupposes.
        var declarations = ""
        /// The package whose declarations the page uses, too.
        var package: String?

        var testDescription: String { path }
    }

    private static func module(_ package: String, _ module: String, _ page: String? = nil) -> String {
        "\(package)/Sources/\(module)/\(module).docc/\(page ?? module).md"
    }

    static let pages: [Page] = [
        Page(path: "Documentation/Atrium.docc/ComingFromCTMediator.md", imports: []),
        Page(path: "Documentation/Atrium.docc/ComingFromMGJRouter.md", imports: []),
        Page(path: "Documentation/Atrium.docc/ComingFromSmall.md", imports: []),
        Page(path: module("Packages/Core", "PluginCore"), imports: []),
        Page(
            path: module("Packages/Core", "PluginCore", "Bundle"), imports: ["PluginCore", "SQLite"],
            values: "context: BundleContext, group: AppGroup, text: String, show: ([UInt8]?) -> Void"),
        Page(
            path: module("Packages/Router", "PluginRouter"), imports: ["PluginCore", "PluginRouter"],
            values: "declaration: RouteDeclaration"),
        Page(path: module("Packages/Router", "PluginRouter", "Calls"), values: "mediator: any Mediating"),
        Page(
            path: module("Packages/Extensions", "Confinement"), imports: ["Confinement", "PluginCore"],
            values: "socket: Int32, host: Int32, bundle: FilePath, container: FilePath", package: "runtime"),
        Page(
            path: module("Packages/Extensions", "ExtensionHost"), imports: ["ExtensionHost", "PluginCore"],
            values: "extensions: ExtensionManager"),
        Page(
            path: module("Packages/Catalog", "PluginCatalog"), imports: ["PluginCatalog"],
            values: "catalog: any Catalog"),
        Page(
            path: module("Packages/Extensions", "RemoteObjects"),
            imports: ["ExtensionProcess", "ExtensionProtocol", "PluginCore", "RemoteObjects"],
            values: """
                runner: FilePath, launch: Launch, limits: ExtensionLimits, processServices: any ExtensionServices, \
                mediator: any Mediating, router: any Routing, services: any ServiceRegistry, events: any EventBus
                """, package: "runtime"),
        Page(path: module("Packages/SQLite", "SQLite"), imports: ["SQLite"]),
        Page(path: module("Packages/Router", "Tracing"), imports: ["Tracing"]),
        Page(
            path: module("Packages/Extensions", "CrashReports"), imports: ["CrashReports", "Registry"],
            values: "sandbox: Sandbox"),
        Page(
            path: module("Packages/TUF", "Deltas"), imports: ["Deltas"],
            values: "installedFiles: [String], length: Int64, digest: String"),
        Page(
            path: module("Packages/TUF", "Downloads"), imports: ["Downloads", "HTTPTransfer"], values: "digest: String"),
        Page(path: module("Packages/TUF", "TUF"), imports: ["HTTPTransfer", "TUF"], values: "shippedRoot: [UInt8]"),
        Page(
            path: module("Packages/TUF", "TUFRepository"), imports: ["TUFMetadata", "TUFRepository"],
            values: """
                first: SignedMetadata<Root>, second: SignedMetadata<Root>, snapshotKey: SecretKey, timestampKey: SecretKey
                """),
        Page(
            path: module("Packages/TestKit", "PluginTestKit"), imports: ["PluginCore", "PluginTestKit", "Testing"],
            values: "build: HostApp, catalog: ThrowawayCatalog, old: SemanticVersion, new: SemanticVersion",
            declarations: "final class HelloBundle: BundleDelegate { init(context: BundleContext) {} }"),
        Page(
            path: module("Packages/Tools", "BundleTool"), imports: ["BundleTool"]),
        Page(
            path: module("Packages/Tools", "CatalogPublisher"), imports: ["CatalogPublisher"],
            values: "password: String"),
        Page(
            path: module("Packages/Tools", "PluginComponents"), imports: ["PluginComponents", "PluginCore", "Trust"],
            values: "path: FilePath, trust: TrustStore, now: Int64"),
        Page(
            path: module("Packages/Tools", "PluginLint"), imports: ["Console", "PluginLint"], package: "tools"),
        Page(path: module("Packages/Zip", "Zip"), imports: ["Zip"]),
        Page(
            path: module("Plugins/Account", "AccountInterface"), imports: ["AccountInterface", "PluginCore"],
            values: "context: BundleContext"),
        Page(
            path: module("Plugins/Orders", "OrdersInterface"), imports: ["OrdersInterface", "PluginCore"],
            values: "context: BundleContext"),
        Page(
            path: module("Plugins/Shop", "ShopInterface"), imports: ["PluginCore", "ShopInterface"],
            values: "context: BundleContext"),
    ]

    /// The pages whose code other tests compile or compare with compiled code.
    private static let others: Set = [
        "README.md", "Documentation/WritingAPlugin.md", "Documentation/Atrium.docc/Atrium.md",
        "Documentation/Atrium.docc/YourFirstPlugin.md", "Documentation/Atrium.docc/CallingAnotherPlugin.md",
        "Documentation/Atrium.docc/AWidget.md", "Documentation/Atrium.docc/YourOwnHost.md",
        module("Packages/Core", "PluginCore", "Debugging"),
        module("HostApp", "AppHost", "YourOwnHost"), module("Packages/Core", "PluginCore", "Contract"),
        module("Packages/Core", "PluginCore", "WritingAnExtension"), module("Packages/Tools", "Console"),
    ]

    @Test("The code of a page compiles", arguments: pages)
    func compiles(page: Page) async throws {
        let blocks = try DocumentPage(page.path).swiftBlocks
        try #require(!blocks.isEmpty)
        var source = page.imports.map { "import \($0)\n" }.joined() + page.declarations + "\n"
        for (number, block) in blocks.enumerated() {
            let isDeclaration = block.firstMatch(of: /^(@|\/\/|(import|extension|enum|struct|final|func) )/) != nil
            source += isDeclaration ? block : "func snippet\(number)(\(page.values)) async throws {\n\(block)}\n"
        }
        let compiler = try SnippetCompiler()
        var options = ["-typecheck", "-parse-as-library"]
        if let package = page.package { options += ["-package-name", package] }
        if page.imports.contains("Testing") { options += try await compiler.testingOptions() }
        try await compiler.compile(source, as: "Page", options)
    }

    @Test("The program on the page of the module Console compiles")
    func program() async throws {
        let block = try #require(DocumentPage(Self.module("Packages/Tools", "Console")).swiftBlocks.first)
        try await SnippetCompiler().compile(block, as: "greet", file: "main", ["-typecheck"])
    }

    @Test("The code of every page is compiled by a test")
    func complete() throws {
        let folders = ["Documentation", "HostApp", "Packages", "Plugins", "README.md"]
        let paths = try FileManager.default.subpathsOfDirectory(atPath: DocumentPage.root.path)
            .filter { path in path.hasSuffix(".md") && folders.contains { path == $0 || path.hasPrefix($0 + "/") } }
            .filter { !$0.contains("/.build/") }
        let found = try paths.filter { try !DocumentPage($0).swiftBlocks.isEmpty }
        #expect(Set(found) == Set(Self.pages.map(\.path)).union(Self.others))
    }
}

extension DocumentPage {
    /// The blocks of Swift code of the whole page.
    fileprivate var swiftBlocks: [String] {
        text.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }
}
