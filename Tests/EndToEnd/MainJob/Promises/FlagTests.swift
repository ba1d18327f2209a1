import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Options on the command line", .tags(.large))
    struct FlagTests {
        @Test(
            "Options may stand anywhere and have their values in either form",
            arguments: [
                ["--sandbox", "S", "--catalog", "C", "--json", "open", "app://shop/item/42", "--tap", "buy"],
                ["open", "--sandbox", "S", "--tap", "buy", "--json", "app://shop/item/42", "--catalog", "C"],
                ["open", "app://shop/item/42", "-t", "buy", "--json", "--catalog=C", "--sandbox=S"],
                ["--json", "open", "--tap=buy", "app://shop/item/42", "--sandbox=S", "--catalog", "C"],
                ["open", "--json", "--sandbox", "S", "--catalog", "C", "-t1", "--", "app://shop/item/42"],
            ])
        func anywhere(words: [String]) async throws {
            let (sandbox, host) = (try ThrowawaySandbox(), try HostApp.find())
            let filled = words.map { word in
                switch word {
                case "S": sandbox.root.string
                case "C": host.catalog.string
                case "--sandbox=S": "--sandbox=\(sandbox.root)"
                case "--catalog=C": "--catalog=\(host.catalog)"
                default: word
                }
            }
            let result = try await host.hostapp.run(filled)
            #expect(result.status == 0, "\(result)")
            #expect(try result.json(as: Opening.self).notices == ["Bought Desk lamp: order 1"])
            #expect(try FileTree(of: sandbox.root).files.contains("Containers/Bundle/registry.sqlite"))
        }

        @Test("A word after -- is an argument even if it looks like an option")
        func separator() async throws {
            let result = try await HostFixture().host.run("open", "--json", "--", "--tap")
            let refusal = try result.json(as: RefusalDocument.self).error
            #expect(result.status == 66 && refusal.code == "routeUnknown" && refusal.subject == "--tap")
        }
    }
}
