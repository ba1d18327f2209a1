import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The Swift code of the pages", .tags(.large), .timeLimit(.minutes(10)))
struct SnippetTests {
    private typealias Context = ExampleContext

    /// The contexts of pages by their names, for those that presuppose something; the modules that a page imports itself are not in them.
    private static let contexts: [String: Context] = [
        "Bundle": Context(
            imports: ["PluginDatabase", "SQLite"],
            values: "context: BundleContext, group: AppGroup, text: String, show: ([UInt8]?) -> Void"),
        "ComingFromPARuntime": Context(
            declarations: """
                final class LinksPage: Page {
                    let title = "Links", content: [PageElement] = []
                    init(_ links: [String]) {}
                }
                """),
        "PluginRouter": Context(values: "declaration: RouteDeclaration"),
        "Calls": Context(values: "mediator: any Mediating"),
        "Confinement": Context(
            values: "socket: Int32, host: Int32, bundle: FilePath, container: FilePath", package: "runtime"),
        "ExtensionHost": Context(values: "extensions: ExtensionManager"),
        "PluginCatalog": Context(values: "catalog: any Catalog"),
        "Contract": Context(
            declarations: """
                struct Catalog: Sendable {
                    init(in container: BundleContainer) async throws {}
                    func hits(of search: Search) -> [Hit] { [] }
                    func reserve(_ item: Int) async throws -> Bool { true }
                }
                final class HomePage: Page {
                    let title = "Shop", content: [PageElement] = []
                    init(_ catalog: Catalog) {}
                }
                """),
        "CrashReports": Context(imports: ["Registry"], values: "sandbox: Sandbox"),
        "Deltas": Context(values: "installedFiles: [String], length: Int64, digest: String"),
        "Downloads": Context(imports: ["HTTPTransfer"], values: "digest: String"),
        "TUF": Context(imports: ["HTTPTransfer"], values: "shippedRoot: [UInt8]"),
        "TUFRepository": Context(
            imports: ["TUFMetadata"],
            values: """
                first: SignedMetadata<Root>, second: SignedMetadata<Root>, snapshotKey: SecretKey, timestampKey: SecretKey
                """),
        "PluginTestKit": Context(
            imports: ["Testing"],
            values: "build: HostApp, catalog: ThrowawayCatalog, old: SemanticVersion, new: SemanticVersion",
            declarations: "final class HelloBundle: BundleDelegate { init(context: BundleContext) {} }"),
        "CatalogPublisher": Context(
            imports: ["Trust"], values: "password: String, path: FilePath, trust: TrustStore, now: Int64"),
        "PluginLint": Context(imports: ["Console"], package: "runtime"),
        "AccountInterface": Context(values: "context: BundleContext"),
        "OrdersInterface": Context(values: "context: BundleContext"),
        "ShopInterface": Context(values: "context: BundleContext"),
    ]

    private static func module(_ package: String, _ module: String, _ page: String? = nil) -> String {
        "\(package)/Sources/\(module)/\(module).docc/\(page ?? module).md"
    }

    /// The pages whose code other tests compile or compare with compiled code.
    private static let others: Set = [
        "README.md", "Documentation/WritingAPlugin.md", "Documentation/Atrium.docc/Atrium.md",
        "Documentation/Atrium.docc/YourFirstPlugin.md", "Documentation/Atrium.docc/CallingAnotherPlugin.md",
        "Documentation/Atrium.docc/AWidget.md", "Documentation/Atrium.docc/YourOwnHost.md",
        module("Packages/Core", "PluginCore", "Debugging"),
        module("HostApp", "AppHost", "YourOwnHost"),
        module("Packages/PluginExtension", "PluginExtension", "WritingAnExtension"),
        module("Packages/Tools", "Console"),
    ]

    /// The paths of all other pages with code.
    private static func pages() throws -> [String] {
        let folders = ["Documentation/", "HostApp/", "Packages/", "Plugins/"]
        return try FileManager.default.subpathsOfDirectory(atPath: DocumentPage.root.path).filter { path in
            path.hasSuffix(".md") && folders.contains(where: path.hasPrefix) && !path.contains("/.build/")
                && !others.contains(path)
        }.filter { try !DocumentPage($0).swiftBlocks.isEmpty }
    }

    @Test("The pages with code are found")
    func found() throws { #expect(try Self.pages().count >= 20) }

    @Test("The code of every page compiles", arguments: try pages())
    func compiles(path: String) async throws {
        let parts = path.split(separator: "/").map(String.init)
        let context = parts.last.flatMap { Self.contexts[String($0.dropLast(".md".count))] } ?? Context()
        let own = path.hasPrefix("Documentation/") ? [] : [parts[3]]
        var source = ""
        for (number, block) in try DocumentPage(path).swiftBlocks.enumerated() {
            let isDeclaration = block.firstMatch(of: /^(@|\/\/|(import|extension|enum|struct|final|func) )/) != nil
            source += isDeclaration ? block : "func snippet\(number)(\(context.values)) async throws {\n\(block)}\n"
        }
        try await context.compile(source, importing: own)
    }

    @Test("The program on the page of the module Console compiles")
    func program() async throws {
        let block = try #require(DocumentPage(Self.module("Packages/Tools", "Console")).swiftBlocks.first)
        try await SnippetCompiler().compile(block, as: "greet", file: "main", ["-typecheck"])
    }
}

extension DocumentPage {
    /// The blocks of Swift code of the whole page.
    fileprivate var swiftBlocks: [String] {
        text.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }
}
