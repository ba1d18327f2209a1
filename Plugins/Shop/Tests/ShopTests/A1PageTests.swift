import PluginCore
import PluginTestKit
import Testing

@testable import Shop

@Suite("The page that opens another plugin's page", .tags(.small))
@MainActor
struct A1PageTests {
    /// A replacement for the profile page, with the same greeting as the account plugin's.
    private final class Profile: Page {
        let title = "C-2"
        var content: [PageElement] { [] }
        let parameters: ActionParameters

        init(_ parameters: ActionParameters) {
            self.parameters = parameters
        }

        func greet() async throws {
            let onGreeting = try parameters.require("onGreeting", as: (@Sendable (String) async -> Void).self)
            let name = try parameters.require("name", as: String.self)
            await onGreeting("\(name)\(try parameters.require("age", as: Int.self))岁啦")
        }
    }

    @Test(
        "Page A-1 offers two ways to open the profile page, in the user's language",
        arguments: [
            ("en", ["C-2 by the mediator", "C-2 by the router"]), ("zh-Hans", ["通过中介者打开 C-2", "通过路由打开 C-2"]),
        ]
    )
    func actions(language: String, titles: [String]) async throws {
        let page = try await Bench(language: language).page("app://shop/a1")
        #expect(page.title == "A-1")
        #expect(page.content.count == 1)
        #expect(page.actions.map(\.identifier) == ["mediator", "router"])
        #expect(page.actions.map(\.title) == titles)
    }

    @Test(
        "Page A-1 gets the profile page from the mediator, pushes it and receives its greeting",
        arguments: ["en", "zh-Hans"])
    func mediator(language: String) async throws {
        let bench = try await Bench(language: language)
        bench.mediator.answer("profilePage", on: "Account") { await Profile($0) }
        let page = try await bench.page("app://shop/a1")
        let navigator = FakeNavigator(showing: page)
        try await page.perform("mediator", input: [:], on: navigator)
        let profile = try #require(navigator.top as? Profile)
        try await profile.greet()
        #expect(navigator.notices == ["C2 says: BJHL5岁啦"])
        #expect(page.content.last == .list([PageRow("BJHL5岁啦")]))
    }

    @Test("Page A-1 opens the profile page by its address and receives its greeting", arguments: ["en", "zh-Hans"])
    func router(language: String) async throws {
        let bench = try await Bench(language: language)
        let page = try await bench.page("app://shop/a1")
        let navigator = FakeNavigator(showing: page)
        try await page.perform("router", input: [:], on: navigator)
        let opening = try #require(bench.router.opened.first)
        #expect(opening.uri.text == "app://account/profile?name=BJHL&age=5")
        let request = ResourceRequest(uri: opening.uri, name: "profile", userInfo: opening.userInfo)
        try await Profile(request.parameters).greet()
        #expect(navigator.notices == ["C2 says: BJHL5岁啦"])
        #expect(page.content.last == .list([PageRow("BJHL5岁啦")]))
    }

    @Test("Page A-1 keeps all greetings")
    func greetings() async throws {
        let bench = try await Bench()
        bench.mediator.answer("profilePage", on: "Account") { await Profile($0) }
        let page = try await bench.page("app://shop/a1")
        let navigator = FakeNavigator(showing: page)
        try await page.perform("mediator", input: [:], on: navigator)
        let profile = try #require(navigator.top as? Profile)
        try await profile.greet()
        try await profile.greet()
        #expect(page.content.last == .list([PageRow("BJHL5岁啦"), PageRow("BJHL5岁啦")]))
        #expect(navigator.notices.count == 2)
    }

    @Test(
        "Page A-1 reports why the profile page is not available and pushes nothing", arguments: ["mediator", "router"])
    func unreachable(action: String) async throws {
        let bench = try await Bench()
        bench.router.refuse("account/profile")
        let page = try await bench.page("app://shop/a1")
        let navigator = FakeNavigator(showing: page)
        await #expect(throws: AtriumError.self) { try await page.perform(action, input: [:], on: navigator) }
        #expect(navigator.pages.count == 1)
    }
}
