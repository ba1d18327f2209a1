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

enum ShopSearch {
    static let hits = RouteContract<Search, [Hit]>("shop/search/:section", .object)
    static let count = RouteContract<String, Int>("shop/count/:section", .object)
}

@Suite("The article about contracts", .tags(.small))
struct ContractExampleTests {
    func lamps(_ router: any Routing) async throws -> [Hit] {
        let search = Search(section: "home", text: "desk lamp", tags: ["new", "red"])
        let address = try router.address(for: ShopSearch.hits, search)
        // app://shop/search/home?text=desk%20lamp&tags=new&tags=red
        print(address)
        return try await router.value(of: ShopSearch.hits, search)
    }

    func resource(for request: ResourceRequest) async throws -> Resource {
        switch request.name {
        case "hits":
            let search = try request.input(of: ShopSearch.hits)
            return try .output(of: ShopSearch.hits, [Hit(id: 42, name: search.text ?? "everything")])
        default: throw AtriumError(.resourceUnknown, request.name)
        }
    }

    func register(on router: any Routing) async throws {
        try await router.register(ShopSearch.count) { section in section == "home" ? 1 : 0 }
    }

    @Test("The example works")
    @MainActor
    func works() async throws {
        let router = RouterFixture(installed: []).routing()
        try await router.register(ShopSearch.hits.pattern, kind: .object) { request in
            let named = ResourceRequest(uri: request.uri, name: "hits", captures: request.captures)
            return try await resource(for: named)
        }
        #expect(try await lamps(router).map(\.name) == ["desk lamp"])
        let address = try router.address(
            for: ShopSearch.hits, Search(section: "home", text: "desk lamp", tags: ["new", "red"]))
        #expect(address.text == "app://shop/search/home?text=desk%20lamp&tags=new&tags=red")
        try await register(on: router)
        #expect(try await router.value(of: ShopSearch.count, "home") == 1)
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
        #expect(blocks.count == 4)
        for line in blocks.flatMap({ lines(String($0)) }) { #expect(source.contains(line), "\(line)") }
    }
}
