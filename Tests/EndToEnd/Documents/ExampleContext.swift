import Testing

/// The declarations and values that the examples of a module presuppose.
struct ExampleContext: Sendable, CustomTestStringConvertible {
    let package: String
    let module: String
    var imports: [String] = []
    /// The parameters of the functions around statements.
    var values = ""
    var declarations = ""
    /// The files with examples for the module's own code.
    var internalFiles: Set<String> = []

    var folder: String { "Packages/\(package)/Sources/\(module)" }
    var testDescription: String { module }

    static let all =
        core + runtime + tuf + [
            tracing,
            ExampleContext(package: "SQLite", module: "SQLite", values: "database: Database"),
            ExampleContext(package: "Zip", module: "Zip"),
            ExampleContext(
                package: "TestKit", module: "PluginTestKit", imports: ["PluginCore", "Testing"],
                values: """
                    package: inout PackageEditor, first: SemanticVersion, second: SemanticVersion, old: FilePath, new: FilePath, shop: FilePath, folder: FilePath, build: HostApp, \
                    host: HostApp, catalog: ThrowawayCatalog, sandbox: ThrowawaySandbox, contract: ManifestContract, \
                    bundle: ShopBundle, page: any Page, bench: TestBundleContext, share: TestExtension<NotesShare>, items: [ExtensionItem]
                    """,
                declarations: """
                    struct ItemLink: Codable { var id: Int }
                    enum ShopRoutes { static let item = RouteContract<ItemLink, NoValue>("shop/item/:id", .page) }
                    final class ShopBundle: BundleDelegate { init(context: BundleContext) async throws {} }
                    final class StocksBundle: BundleDelegate { init(context: BundleContext) {} }
                    final class NotesBundle: BundleDelegate { init(context: BundleContext) {} }
                    final class NotesShare: ExtensionDelegate {
                        static let point = ExtensionPoints.share
                        init(environment: ExtensionEnvironment) {}
                        func beginRequest(_ input: NoValue, in context: ExtensionContext<NoValue>) {}
                    }
                    """),
        ]

    private static let core = [
        ExampleContext(
            package: "Core", module: "PluginCore", imports: ["SQLite"],
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
                public struct Bill: Codable, Sendable {}
                public struct Receipt: Codable, Sendable {}
                struct OrderForm: Codable { var item: String; var price: Int }
                struct OrderBook { func spending() throws -> Int { 0 } }
                enum OrdersServices { static let spending = ServiceContract<@Sendable () async throws -> Int>("Spending") }
                struct Calendar { let today = "Sunday" }
                enum AccountActions {
                    static let isSignedIn = ActionContract<NoValue, Bool>("isSignedIn", on: "Account")
                    static let requireSignIn = isSignedIn
                }
                struct Notes {
                    init(in container: BundleContainer) throws {}
                    func add(_ item: ExtensionItem) throws {}
                }
                struct Item { let price = 1 }
                struct Catalog: Sendable {
                    let rows: [PageRow] = []
                    init(in container: BundleContainer) async throws {}
                    func item(_ id: Int) throws -> Item { Item() }
                    func reserve(_ id: Int) async throws {}
                }
                struct ItemLink: Codable { var id: Int; var from: String? }
                enum ShopRoutes {
                    static let home = RouteContract<NoValue, NoValue>("shop", .page)
                    static let deals = RouteContract<NoValue, NoValue>("shop/deals", .page)
                    static let item = RouteContract<ItemLink, NoValue>("shop/item/:id", .page)
                    static let price = RouteContract<Int, Int>("shop/price/:id", .object)
                }
                enum ShopActions { static let reserve = ActionContract<Int, NoValue>("reserve", on: "Shop") }
                class EmptyPage: Page { let title = ""; let content: [PageElement] = [] }
                final class DealsPage: EmptyPage {}
                final class HomePage: EmptyPage { init(_ catalog: Catalog) {} }
                final class ItemPage: EmptyPage { init(_ item: Item, from: String?) {} }
                final class Hello: BundleDelegate { init(context: BundleContext) {} }
                func draw(_ bytes: [UInt8], pixelsPerPoint: Int) {}
                """),
        ExampleContext(
            package: "Router", module: "PluginRouter", imports: ["PluginCore"],
            values: """
                router: Router, mediator: Mediator, declaration: RouteDeclaration, request: ResourceRequest, now: Int64, \
                principal: Principal, sentinels: Sentinels
                """,
            declarations: """
                struct Sentinel: Sendable { func gaveWay() {}; func end(isProof: Bool) {} }
                struct Sentinels: Sendable { func begin(_ bundle: String, isHeld: Bool) -> Sentinel { Sentinel() } }
                struct SignIn: RouteInterceptor {
                    let name = "signIn"
                    func intercept(_ request: ResourceRequest) async throws -> Interception { .allow }
                }
                """),
    ]

    private static let tracing = ExampleContext(
        package: "Router", module: "Tracing", imports: ["PluginCore"], values: "identity: BundleIdentity")

    private static let tuf = [
        ExampleContext(
            package: "TUF", module: "TUF", imports: ["HTTPTransfer"],
            values: "client: TUFClient, shippedRoot: [UInt8], trusted: TrustedMetadata, target: FoundTarget"),
        ExampleContext(
            package: "TUF", module: "TUFMetadata", imports: ["TUF"],
            values: "secretKey: SecretKey, password: String, metadata: SignedMetadata<Root>, client: TUFClient"),
        ExampleContext(
            package: "TUF", module: "TUFRepository", imports: ["TUFMetadata"],
            values: "editor: inout RepositoryEditor, paths: [String], password: String, key: SecretKey"),
        ExampleContext(
            package: "TUF", module: "HTTPTransfer", values: "limit: Int, response: HTTPResponse",
            declarations: "nonisolated(unsafe) var content: [UInt8] = []"),
        ExampleContext(
            package: "TUF", module: "Files",
            values: "folder: Folder, bytes: [UInt8], piece: UnsafeRawBufferPointer"),
        ExampleContext(
            package: "TUF", module: "Downloads", imports: ["HTTPTransfer"], values: "request: DownloadRequest"
        ),
        ExampleContext(package: "TUF", module: "Deltas"),
    ]

    private static let runtime = [
        ExampleContext(
            package: "Runtime", module: "PluginRuntime",
            imports: [
                "Glibc", "PluginCore", "PluginIsolation", "PluginRouter", "Preflight", "Registry", "Resolver", "Trust",
            ],
            values: """
                services: inout HostServices, routing: HostRouting, manager: BundleManager, folder: FilePath, \
                sandbox: Sandbox, source: any PackageSource, catalog: any PackageSource, uri: ResourceURI, navigator: any Navigator, identifier: BundleIdentifier, identifiers: [BundleIdentifier]
                """,
            declarations: "protocol AcmeClock: Sendable {}\nstruct SystemClock: AcmeClock {}"),
        ExampleContext(
            package: "Crypto", module: "Signing",
            values: """
                piece: UnsafeRawBufferPointer, message: [UInt8], text: String, key: VerifyingKey, \
                signature: MinisignSignature
                """),
        ExampleContext(
            package: "System", module: "HostSystem", values: "bytes: [UInt8]",
            declarations: "@Sendable func log(_ text: String) {}\nfunc runHost() async -> Int32 { 0 }"),
        ExampleContext(
            package: "Runtime", module: "BundleFormat", imports: ["PluginCore", "Signing", "Trust"],
            values: """
                source: [UInt8], bytes: [UInt8], folder: FilePath, publicKey: VerifyingKey, key: SigningKey, \
                manifest: String, identity: BundleIdentity
                """,
            declarations: "final class Shop: BundleDelegate { init(context: BundleContext) {} }"),
        ExampleContext(
            package: "Catalog", module: "CatalogFormat",
            imports: ["BundleFormat", "PluginCore", "PluginRouter", "TUFMetadata"],
            values: """
                identity: BundleIdentity, target: TargetFile, path: String, downloaded: FilePath, \
                converters: RouteConverters, identifier: BundleIdentifier, uri: ResourceURI
                """),
        ExampleContext(
            package: "Runtime", module: "Registry", imports: ["PluginCore"], values: "registry: Registry",
            internalFiles: ["RegistryConnection.swift"]),
        ExampleContext(
            package: "Catalog", module: "RemoteCatalog",
            imports: ["CatalogFormat", "PluginCatalog", "Registry"],
            values: "address: CatalogAddress, sandbox: Sandbox, root: [UInt8]"),
        ExampleContext(
            package: "Trust", module: "Trust", imports: ["BundleFormat", "PluginCore", "Signing"],
            values: "store: TrustStore, signature: MinisignSignature, seal: Seal, sealBytes: [UInt8], now: Int64"),
        ExampleContext(
            package: "Preflight", module: "Preflight", values: "old: LibrarySymbols, new: LibrarySymbols"),
        ExampleContext(
            package: "Extensions", module: "PluginIsolation", imports: ["PluginCore", "PluginRuntime"],
            values: "services: inout HostServices, folder: FilePath"),
        ExampleContext(
            package: "Extensions", module: "ExtensionHost", imports: ["PluginCore", "PluginRuntime"],
            values: """
                manager: BundleManager, runner: FilePath, log: @escaping HostServices.Log, items: [ExtensionItem], \
                identifier: BundleIdentifier
                """),
        ExampleContext(package: "Runtime", module: "ExtensionActivation", imports: ["PluginCore"]),
        ExampleContext(
            package: "Diagnosis", module: "Doctor", imports: ["PluginRuntime"],
            values: "manager: BundleManager, findings: [CheckupFinding]"
        ),
        ExampleContext(
            package: "System", module: "BundleStorage", imports: ["PluginCore", "Registry"],
            values: "sandbox: Sandbox, name: String, bundle: PluginBundle",
            declarations: "@Sendable func log(_ text: String) {}"),
        ExampleContext(package: "Extensions", module: "ConfinementReporting"),
        ExampleContext(
            package: "Extensions", module: "CrashReports", imports: ["Preflight", "Registry"],
            values: "report: RecordedCrash, sandbox: Sandbox, registry: Registry"),
    ]
}
