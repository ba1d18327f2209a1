import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Two hosts that run at the same time", .tags(.large))
    struct TwoHostsTests {
        @Test("Orders that two hosts place at the same time have different numbers")
        func orders() async throws {
            let fixture = try await Scene(installed: account, MainJob.orders, shop)
            async let first = fixture.open("app://shop/item/42", tapping: "buy", "buy", "buy")
            async let second = fixture.open("app://shop/item/7", tapping: "buy", "buy", "buy")
            async let third = fixture.open("app://shop/item/99", tapping: "buy", "buy", "buy")
            let notices = try await [first, second, third].flatMap(\.notices.elements)
            let numbers = notices.compactMap { $0.string.split(separator: " ").last.flatMap { Int($0) } }
            #expect(numbers.sorted() == Array(1...9), "\(notices)")
        }
    }
}
