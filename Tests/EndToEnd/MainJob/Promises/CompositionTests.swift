import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("The composition")
    struct CompositionTests {
        @Test("gives the app addresses of its own, which lead to the plugins' pages")
        func rules() async throws {
            let house = try await House(with: shop)
            let answer = try await house.open("app://shop/answer")
            #expect(answer.url == "app://shop/answer" && answer.page?.title == "Desk lamp")
            let welcome = try await house.open("app://shop/welcome")
            #expect(welcome.page?.title == "About the shop")
            #expect(try await house.open("app://shop/answer?from=rule").page?.value(of: "From") == "rule")
        }

        @Test("has its rules served by what only the catalog has", arguments: ["answer", "welcome"])
        func supply(name: String) async throws {
            let opening = try await House().open("app://shop/\(name)")
            #expect(["Desk lamp", "About the shop"].contains(opening.page?.title))
        }

        @Test("names the start, for whoever names none")
        func start() async throws {
            let house = try await House(with: shop)
            #expect(try await house.run("open").lines.first == "Shop")
            #expect(try await house.run("shell").lines.first == "Shop")
        }

        @Test("is a file that may be another one")
        func other() async throws {
            let folder = try ThrowawayFolder()
            let file = try folder.write(
                """
                {
                  "formatVersion": 1, "name": "Lamps", "start": "app://lamps",
                  "bundles": [ { "uri": "lamps", "pkg": "com.example.app.shop", "rules": { "": "item?id=42" } } ]
                }
                """, to: "bundle.json")
            let house = try await House(with: shop)
            let result = try await house.run("open", "--composition", file.string)
            #expect(result.lines.first == "Desk lamp")
        }
    }
}
