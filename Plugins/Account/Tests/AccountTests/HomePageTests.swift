import AccountInterface
import PluginCore
import PluginTestKit
import Testing

@testable import Account

@Suite("The home page of the account plugin", .tags(.small))
@MainActor
struct HomePageTests {
    @Test(
        "The home page shows the signed-in user in the user's language",
        arguments: [
            ("en", "Account", "Nobody is signed in.", "Signed in as Ann."),
            ("zh-Hans", "账户", "尚未登录。", "已登录：Ann。"),
        ]
    )
    func content(language: String, title: String, before: String, after: String) async throws {
        let bench = try await Bench(language: language)
        let page = try await bench.page("app://account")
        #expect(page.title == title)
        #expect(page.content == [.text(before)])
        try await bench.signIn("Ann")
        #expect(page.content == [.text(after)])
    }

    @Test("The sign-in action opens the sign-in page, and the sign-out action signs out")
    func actions() async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://account")
        #expect(page.actions.map(\.description) == [.init("signIn", title: "Sign in")])
        try await page.perform("signIn", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://account/sign-in"])

        try await bench.signIn("Ann")
        #expect(page.actions.map(\.description) == [.init("signOut", title: "Sign out")])
        try await page.perform("signOut", input: [:], on: FakeNavigator(showing: page))
        #expect(try await bench.mediator.perform(AccountActions.isSignedIn) == false)
    }

    @Test(
        "Every page rejects an unknown action",
        arguments: ["app://account", "app://account/sign-in", "app://account/profile?name=Ann&age=30"]
    )
    func unknownAction(address: String) async throws {
        let page = try await Bench().page(address)
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("singIn", input: [:], on: FakeNavigator(showing: page))
        }
        #expect(error?.code == .pageActionUnknown)
        #expect(error?.nearest == page.actions.map(\.identifier))
    }
}
