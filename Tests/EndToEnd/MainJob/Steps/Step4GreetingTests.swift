import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 4: from a page of Shop to a page of Account, and back by a closure", .tags(.large))
    struct GreetingTests {
        private static let greeting: JSON = "On the card: Happy birthday, Ann! You are 30 today."

        @Test(
            "The JSON output contains the greeting, and the closure has reached Shop's page",
            arguments: ["choose", "look-up"])
        func json(way: String) async throws {
            let fixture = try await Scene(installed: account, shop)
            let opening = try await fixture.open("app://shop/gift", tapping: way, "greet", "greet")
            #expect(opening.stack == ["Gift card", "Profile"])
            #expect(opening.notices == [Self.greeting, Self.greeting])
            #expect(opening.steps.elements.map(\.tap) == [.null, .text(way), "greet", "greet"])
            #expect(opening.steps.elements.map(\.notices) == [[], [], [Self.greeting], [Self.greeting]])
            let profile = opening.page
            #expect(profile.title == "Profile")
            #expect(profile.field("Name") == "Ann" && profile.field("Age") == "30")
        }
    }
}
