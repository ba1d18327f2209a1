import FoundationEssentials
import PluginCore
import PluginRouter
import Testing

struct Search: Codable, Sendable {
    var section: String
    var text: String?
    var tags: [String] = []
}

struct Hit: Codable, Sendable {
    var id: Int
    var name: String
}

enum ShopRoutes {
    static let home = RouteContract<NoValue, NoValue>("shop", .page)
    static let hits = RouteContract<Search, [Hit]>("shop/search/:section", .object)
    static let count = RouteContract<String, Int>("shop/count/:section", .object)
}

enum ShopActions {
    static let reserve = ActionContract<Int, Bool>("reserve", on: "Shop")
}

extension Mediating {
    func reserve(_ item: Int) async throws -> Bool { try await perform(ShopActions.reserve, item) }
}

final class Shop: BundleDelegate {
    let catalog: Catalog

    init(context: BundleContext) async throws {
        catalog = try await Catalog(in: context.container)
    }

    static var routes: some RouteSet<Shop> {
        Page(ShopRoutes.home) { shop in HomePage(shop.catalog) }
        Object(ShopRoutes.hits) { shop, search in shop.catalog.hits(of: search) }
    }

    static var targets: some TargetSet<Shop> {
        Action(ShopActions.reserve) { shop, item in try await shop.catalog.reserve(item) }
    }
}

struct Catalog: Sendable {
    init(in container: BundleContainer) async throws {}
    func hits(of search: Search) -> [Hit] { [Hit(id: 42, name: search.text ?? "everything")] }
    func reserve(_ item: Int) async throws -> Bool { item == 42 }
}

final class HomePage: Page {
    let title = "Shop"
    let content: [PageElement] = []
    init(_ catalog: Catalog) {}
}

@Suite("The article about contracts", .tags(.small))
struct ContractExampleTests {
    func lamps(_ router: any Routing) async throws -> [Hit] {
        let search = Search(section: "home", text: "desk lamp", tags: ["new", "red"])
        let address = try router.address(for: ShopRoutes.hits, search)
        // app://shop/search/home?text=desk%20lamp&tags=new&tags=red
        print(address)
        return try await router.value(of: ShopRoutes.hits, search)
    }

    func register(on router: any Routing) async throws {
        try await router.register(ShopRoutes.count) { section in section == "home" ? 1 : 0 }
    }

    /// Starts the plugin of the article.
    @MainActor
    private func shop() async throws -> Principal {
        try await PrincipalType(Shop.self).start(
            .forTests("com.example.app.shop", in: RouterFixture()))
    }

    @Test("The example works")
    @MainActor
    func works() async throws {
        let shop = try await shop()
        let bundle = FakeBundle(
            identifier: "com.example.app.shop", routes: PrincipalType(Shop.self).declarations.routes,
            targets: ["Shop"], serve: { try await shop.resource(for: $0) },
            actions: [Action("reserve") { try await shop.target(named: "Shop")?.action("reserve")?.body($0) ?? () }])
        let fixture = RouterFixture(installed: [bundle])
        let router = fixture.routing()
        #expect(try await lamps(router).map(\.name) == ["desk lamp"])
        #expect(try await router.page(for: ShopRoutes.home).title == "Shop")
        let address = try router.address(
            for: ShopRoutes.hits, Search(section: "home", text: "desk lamp", tags: ["new", "red"]))
        #expect(address.text == "app://shop/search/home?text=desk%20lamp&tags=new&tags=red")
        #expect(try await fixture.mediator.leased(to: Lease(owner: "com.example.test")).reserve(42))
        try await register(on: router)
        #expect(try await router.value(of: ShopRoutes.count, "home") == 1)
    }

    @Test("The example is the code of this file")
    func same() throws {
        let packages = #filePath.split(separator: "/Router/Tests/")[0]
        let page = try String(
            contentsOfFile: "\(packages)/Core/Sources/PluginCore/PluginCore.docc/Contract.md", encoding: .utf8)
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n").map { String($0.drop { $0 == " " }) }
        }
        let source = Set(lines(try String(contentsOfFile: #filePath, encoding: .utf8)))
        let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == 5)
        for line in blocks.flatMap({ lines(String($0)) }) { #expect(source.contains(line), "\(line)") }
    }
}
