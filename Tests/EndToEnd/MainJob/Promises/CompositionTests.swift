import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("The app's composition", .tags(.large))
    struct CompositionTests {
        @Test("The app's own addresses open the pages of plugins")
        func rules() async throws {
            let fixture = try await HostFixture(with: shop)
            let answer = try await fixture.open("app://shop/answer")
            #expect(answer.url == "app://shop/answer" && answer.page?.title == "Desk lamp")
            let welcome = try await fixture.open("app://shop/welcome")
            #expect(welcome.page?.title == "About the shop")
            #expect(try await fixture.open("app://shop/answer?from=rule").page?.value(of: "From") == "rule")
        }

        @Test("Open and shell without an address use the start of the composition")
        func start() async throws {
            let fixture = try await HostFixture(with: shop)
            #expect(try await fixture.run("open").lines.first == "Shop")
            #expect(try await fixture.run("shell").lines.first == "Shop")
        }

        @Test("The option --composition selects another file")
        func other() async throws {
            let folder = try ThrowawayFolder()
            let file = try folder.write(
                """
                {
                  "formatVersion": 1, "name": "Lamps", "start": "app://lamps",
                  "bundles": [ { "uri": "lamps", "pkg": "com.example.app.shop", "rules": { "": "item?id=42" } } ]
                }
                """, to: "bundle.json")
            let fixture = try await HostFixture(with: shop)
            let result = try await fixture.run("open", "--composition", file.string)
            #expect(result.lines.first == "Desk lamp")
        }
    }
}
