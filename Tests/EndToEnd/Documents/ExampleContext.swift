/// The declarations and values that the examples of a module, or the code of a page, presuppose.
struct ExampleContext: Sendable {
    /// The modules that they use beside PluginCore and their own.
    var imports: [String] = []
    /// The parameters of the functions around statements.
    var values = ""
    var declarations = ""
    /// The package whose declarations they use, too.
    var package: String?
    /// The files with examples for the module's own code.
    var internalFiles: Set<String> = []

    /// Compiles code that presupposes this.
    func compile(_ code: String, importing modules: [String]) async throws {
        let compiler = try SnippetCompiler()
        var options = ["-typecheck", "-parse-as-library", "-suppress-warnings"]
        if let package { options += ["-package-name", package] }
        if imports.contains("Testing") { options += try await compiler.testingOptions() }
        let imported = (["PluginCore", "PluginExtension"] + modules + imports).map { "import \($0)\n" }.joined()
        try await compiler.compile(imported + declarations + "\n" + code, as: "Examples", options)
    }

    /// The contexts by modules, for those whose examples presuppose something.
    static let all: [String: ExampleContext] = [
        "SQLite": ExampleContext(values: "database: Database"),
        "PluginDatabase": ExampleContext(imports: ["SQLite"], values: "context: BundleContext"),
        "PluginTestKit": ExampleContext(
            imports: ["Testing"],
            values: """
                package: inout PackageEditor, first: SemanticVersion, second: SemanticVersion, old: FilePath, new: FilePath, shop: FilePath, folder: FilePath, build: HostApp, \
                host: HostApp, catalog: ThrowawayCatalog, sandbox: ThrowawaySandbox, contract: ManifestContract, \
                bundle: ShopBundle, page: any Page, bench: TestBundleContext, share: TestExtension<NotesShare>, items: [ExtensionItem]
                """,
            declarations: """
                struct ItemLink: Codable { var id: Int }
                enum ShopRoutes { static let item = PageRoute<ItemLink>("shop/item/:id") }
                final class ShopBundle: BundleDelegate { init(context: BundleContext) async throws {} }
                final class StocksBundle: BundleDelegate { init(context: BundleContext) {} }
                final class NotesBundle: BundleDelegate { init(context: BundleContext) {} }
                final class NotesShare: ExtensionDelegate {
                    static let point = ExtensionPoints.share
                    init(environment: ExtensionEnvironment) {}
                    func beginRequest(_ input: NoValue, in context: ExtensionContext<NoValue>) {}
                }
                """),
        "PluginCore": ExampleContext(
            imports: ["PageLayouts", "SQLite"],
            values: """
                context: BundleContext, router: any Routing, mediator: any Mediating, request: ResourceRequest, \
                group: AppGroup, path: FilePath, text: String, greet: @escaping @Sendable (String) -> String, theirs: Theme, \
                watchList: [String], show: ([UInt8]?) -> Void, calendar: Calendar, catalog: Catalog, \
                page: any Page, resources: BundleResources
                """,
            declarations: """
                enum Theme: String, Codable { case light, dark }
                typealias Mine = Theme
                extension DefaultsKey<Int> { static var changes: Self { Self("changes", default: 0) } }
                struct OrderForm: Codable { var item: String; var price: Int }
                struct OrderBook { func spending() throws -> Int { 0 } }
                enum OrdersServices { static let spending = ServiceContract<@Sendable () async throws -> Int>("Spending") }
                struct Calendar { let today = "Sunday" }
                enum AccountActions {
                    static let isSignedIn = ActionContract<NoValue, Bool>("isSignedIn", on: "Account")
                    static let requireSignIn = isSignedIn
                }
                struct Item { let price = 1 }
                struct Catalog: Sendable {
                    init(in container: BundleContainer) async throws {}
                    func item(_ id: Int) throws -> Item { Item() }
                    func reserve(_ id: Int) async throws {}
                }
                struct ItemLink: Codable { var id: Int; var from: String? }
                enum ShopRoutes {
                    static let home = PageRoute<NoValue>("shop")
                    static let deals = PageRoute<NoValue>("shop/deals")
                    static let item = PageRoute<ItemLink>("shop/item/:id")
                    static let price = ValueRoute<Int, Int>("shop/price/:id")
                }
                enum ShopActions { static let reserve = ActionContract<Int, NoValue>("reserve", on: "Shop") }
                class EmptyPage: Page { let title = ""; let content: [PageElement] = [] }
                final class DealsPage: EmptyPage {}
                final class HomePage: EmptyPage { init(_ catalog: Catalog) {} }
                final class ItemPage: EmptyPage { init(_ item: Item, from: String?) {} }
                final class Hello: BundleDelegate { init(context: BundleContext) {} }
                """),
        "PluginRouter": ExampleContext(
            values: """
                router: Router, mediator: Mediator, declaration: RouteDeclaration, request: ResourceRequest, now: Int64, \
                sentinels: Sentinels
                """,
            declarations: """
                struct Sentinel: Sendable { func gaveWay() {}; func end(isProof: Bool) {} }
                struct Sentinels: Sendable { func begin(_ bundle: String, isHeld: Bool) -> Sentinel { Sentinel() } }
                struct SignIn: RouteInterceptor {
                    let name = "signIn"
                    func intercept(_ request: ResourceRequest) async throws -> Interception { .allow }
                }
                """),
        "PageLayouts": ExampleContext(
            values: "context: BundleContext, router: any Routing, catalog: Catalog",
            declarations: """
                struct Catalog { let rows: [PageRow] = [] }
                func draw(_ bytes: [UInt8], pixelsPerPoint: Int) {}
                """),
        "HostSystem": ExampleContext(
            values: "identity: BundleIdentity, principal: Principal, request: ResourceRequest"),
        "TUF": ExampleContext(
            imports: ["HTTPTransfer"],
            values: "client: TUFClient, shippedRoot: [UInt8], trusted: TrustedMetadata, target: FoundTarget"),
        "TUFMetadata": ExampleContext(
            imports: ["TUF"],
            values: "secretKey: SecretKey, password: String, metadata: SignedMetadata<Root>, client: TUFClient"),
        "TUFRepository": ExampleContext(
            imports: ["TUFMetadata"],
            values: "editor: inout RepositoryEditor, paths: [String], password: String, key: SecretKey"),
        "HTTPTransfer": ExampleContext(
            values: "limit: Int, response: HTTPResponse",
            declarations: "nonisolated(unsafe) var content: [UInt8] = []"),
        "Downloads": ExampleContext(imports: ["HTTPTransfer"], values: "request: DownloadRequest"),
        "PluginRuntime": ExampleContext(
            imports: [
                "Glibc", "PluginCatalog", "PluginIsolation", "PluginRouter", "Preflight", "Registry", "Resolver",
                "Trust",
            ],
            values: """
                services: inout HostServices, routing: HostRouting, manager: Host, folder: FilePath, \
                sandbox: Sandbox, source: any PackageSource, catalog: any PackageSource, uri: ResourceURI, navigator: any Navigator, identifier: BundleIdentifier, identifiers: [BundleIdentifier]
                """,
            declarations: "protocol AcmeClock: Sendable {}\nstruct SystemClock: AcmeClock {}"),
        "Signing": ExampleContext(
            values: """
                message: [UInt8], text: String, key: VerifyingKey, \
                signature: MinisignSignature
                """),
        "Atrium": ExampleContext(values: "folder: FilePath, packages: FilePath, key: String"),
        "Processes": ExampleContext(
            imports: ["PluginRuntime"],
            values: "bytes: [UInt8], folder: FilePath, services: inout HostServices",
            declarations: "@Sendable func log(_ text: String) {}\nfunc runHost() async -> Int32 { 0 }"),
        "Authoring": ExampleContext(
            imports: ["Signing"],
            values: "source: [UInt8], bytes: [UInt8], key: SigningKey, manifest: String, identity: BundleIdentity",
            declarations: "final class Shop: BundleDelegate { init(context: BundleContext) {} }"),
        "BundleFormat": ExampleContext(
            imports: ["Signing", "Trust"],
            values: """
                source: [UInt8], bytes: [UInt8], folder: FilePath, publicKey: VerifyingKey, key: SigningKey, \
                manifest: String, identity: BundleIdentity
                """,
            declarations: "final class Shop: BundleDelegate { init(context: BundleContext) {} }"),
        "CatalogFormat": ExampleContext(
            imports: ["BundleFormat", "HostSystem", "PluginRouter", "TUFMetadata"],
            values: """
                identity: BundleIdentity, target: TargetFile, path: String, downloaded: FilePath, \
                converters: RouteConverters, identifier: BundleIdentifier, uri: ResourceURI
                """),
        "Registry": ExampleContext(
            values: "registry: Registry", internalFiles: ["RegistryConnection.swift"]),
        "RemoteCatalog": ExampleContext(
            imports: ["CatalogFormat", "PluginCatalog", "Registry"],
            values: "address: CatalogAddress, sandbox: Sandbox, root: [UInt8]"),
        "Trust": ExampleContext(
            imports: ["BundleFormat", "Signing"],
            values: "store: TrustStore, signature: MinisignSignature, seal: Seal, sealBytes: [UInt8], now: Int64"),
        "Preflight": ExampleContext(values: "old: LibrarySymbols, new: LibrarySymbols"),
        "PluginExtension": ExampleContext(
            values: "path: FilePath",
            declarations: """
                public struct Bill: Codable, Sendable {}
                public struct Receipt: Codable, Sendable {}
                final class Shop: BundleDelegate { init(context: BundleContext) {} }
                struct Notes {
                    init(in container: BundleContainer) throws {}
                    func add(_ item: ExtensionItem) throws {}
                }
                """),
        "PluginIsolation": ExampleContext(
            imports: ["PluginRuntime"],
            values: "services: inout HostServices, folder: FilePath"),
        "ExtensionHost": ExampleContext(
            imports: ["PluginRuntime"],
            values: """
                manager: Host, runner: FilePath, items: [ExtensionItem], identifier: BundleIdentifier, \
                services: inout HostServices
                """),
        "Doctor": ExampleContext(
            imports: ["PluginRuntime"],
            values: "manager: Host, findings: [CheckupFinding], identifier: BundleIdentifier"
        ),
        "PluginCatalog": ExampleContext(imports: ["PluginRuntime"], values: "navigator: any Navigator"),
        "BundleStorage": ExampleContext(
            imports: ["Registry"],
            values: "sandbox: Sandbox, name: String, bundle: PluginBundle",
            declarations: "@Sendable func log(_ text: String) {}"),
        "CrashReports": ExampleContext(
            imports: ["Preflight", "Registry"],
            values: "report: RecordedCrash, sandbox: Sandbox, registry: Registry"),
    ]
}
