import PluginTestKit
import Testing

extension MainJob {
    @Suite("Calling actions", .tags(.large))
    struct CallTests {
        @Test("An action is called by name with parameters, and its plugin is installed on demand")
        func named() async throws {
            let fixture = try Scene()
            let called = try await fixture.answer("call", "Orders", "place", "item=Red socks", "price=900")
            #expect(called.call == "Orders.place" && called.result == 1)
            #expect(try await fixture.run("call", "Orders", "count").stdout == "1\n")
        }
    }
}
