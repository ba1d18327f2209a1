import PluginCore
import PluginTestKit
import Testing

@testable import Shop

@Suite("The page of a gift card", .tags(.small))
@MainActor
struct GiftPageTests {
    private static let greeting = "Happy birthday, Ann! You are 30 today."

    /// A replacement for the profile page, with the same greeting as the account plugin's.
    private final class Profile: Page {
        let title = "Profile"
        var content: [PageElement] { [] }
        let parameters: ActionParameters

        init(_ parameters: ActionParameters) {
            self.parameters = parameters
        }

        func greet() async throws {
            let onGreeting = try parameters.require("onGreeting", as: (@Sendable (String) async -> Void).self)
            let name = try parameters.require("name", as: String.self)
            await onGreeting("Happy birthday, \(name)! You are \(try parameters.require("age", as: Int.self)) today.")
        }
    }

    @Test("The gift card offers two ways to open the profile page")
    func actions() async throws {
        let page = try await Bench().page("app://shop/gift")
        #expect(page.title == "Gift card")
        #expect(page.content.count == 1)
        #expect(page.actions.map(\.identifier) == ["choose", "look-up"])
        #expect(
            page.actions.map(\.description.title) == ["Choose Ann (by the mediator)", "Look up Ann (by the router)"])
    }

    @Test(
        "The gift card gets the profile page from the mediator, pushes it and keeps all of its greetings",
        arguments: [("en", "On the card: "), ("zh-Hans", "卡片上写着：")])
    func mediator(language: String, said: String) async throws {
        let bench = try await Bench(language: language)
        bench.mediator.answer("profilePage", on: "Account") { await Profile($0) }
        let page = try await bench.page("app://shop/gift")
        let navigator = FakeNavigator(showing: page)
        try await page.perform("choose", input: [:], on: navigator)
        let profile = try #require(navigator.top as? Profile)
        for _ in 0..<2 { try await profile.greet() }
        #expect(navigator.notices == [said + Self.greeting, said + Self.greeting])
        #expect(page.content.last == .list([PageRow(Self.greeting), PageRow(Self.greeting)]))
    }

    @Test("The gift card opens the profile page by its address and receives its greeting")
    func router() async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://shop/gift")
        let navigator = FakeNavigator(showing: page)
        try await page.perform("look-up", input: [:], on: navigator)
        let opening = try #require(bench.router.opened.first)
        #expect(opening.uri.text == "app://account/profile?name=Ann&age=30")
        let request = ResourceRequest(uri: opening.uri, name: "profile", userInfo: opening.userInfo)
        try await Profile(request.parameters).greet()
        #expect(navigator.notices == ["On the card: " + Self.greeting])
        #expect(page.content.last == .list([PageRow(Self.greeting)]))
    }

    @Test(
        "The gift card reports why the profile page is not available and pushes nothing",
        arguments: ["choose", "look-up"])
    func unreachable(action: String) async throws {
        let bench = try await Bench()
        bench.router.refuse("account/profile")
        let page = try await bench.page("app://shop/gift")
        let navigator = FakeNavigator(showing: page)
        await #expect(throws: AtriumError.self) { try await page.perform(action, input: [:], on: navigator) }
        #expect(navigator.pages.count == 1)
    }
}
