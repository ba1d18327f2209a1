import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 6: installs on demand", .tags(.large))
    struct InstallOnDemandTests {
        @Test("A guard's plugin is installed on demand, so that one command can lead from nothing to the orders")
        func everything() async throws {
            let fixture = try Scene()
            let result = try await fixture.run(
                "open", "app://shop/item/42", "--tap", "buy", "--tap", "orders", "--tap", "signIn name=Ada")
            #expect(result.lines.contains("  [1] 1 · Desk lamp  €19.99, placed (app://orders/1)"))
            // The library that Shop links is installed in the same step and also used by Orders.
            let names = ["\(money)@1.1.0", "\(shop)@1.1.0", "\(orders)@1.0.0", "\(account)@1.0.0"]
            #expect(result.stderr == names.map { "installed \($0)\n" }.joined())
        }
    }
}
