import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Attributes that a plugin declares", .tags(.large))
    struct DeclarationTests {
        @Test("Info shows attributes that differ from the defaults, and all attributes with --json")
        func info() async throws {
            let fixture = try Scene()
            try fixture.change(orders) { package in
                try package.setManifest("services", to: #"["OrderBook"]"#)
                try package.setManifest(
                    "targets",
                    to: #"[{"name": "Orders", "actions": ["place", {"name": "count", "exposure": "internal"}]}]"#)
                try package.setManifest(
                    "routes",
                    to: #"""
                        [{"pattern": "orders", "page": "list", "priority": 3, "exposure": "external", "deadline": 2.5,
                          "mayDecline": true}, {"pattern": "orders/:id", "page": "order"}]
                        """#)
            }
            try await fixture.run("install", orders)
            let text = try await fixture.run("info", orders).stdout
            #expect(text.contains("orders  page list  external, priority 3, deadline 2.5 s, may decline\n"), "\(text)")
            #expect(text.contains("orders/:id  page order\n"))
            #expect(text.contains("Orders: place, count (internal)\n"))
            #expect(text.contains("OrderBook\n"))

            let info: Info = try await fixture.answer("info", orders)
            #expect(info.routes.map(\.priority) == [3, 0])
            #expect(info.routes.map(\.exposure) == ["external", "plugins"])
            #expect(info.routes.map(\.deadline) == [2.5, nil])
            #expect(info.routes.map(\.mayDecline) == [true, false])
            #expect(info.targets.map(\.exposures) == [["place": "plugins", "count": "internal"]])
            #expect(info.services == ["OrderBook"])
        }
    }
}
