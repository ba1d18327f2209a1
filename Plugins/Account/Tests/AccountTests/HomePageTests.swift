import AccountInterface
import PluginCore
import PluginTestKit
import Testing

@testable import Account

@Suite("The account's home page")
@MainActor
struct HomePageTests {
    @Test(
        "says who is signed in, in the user's language",
        arguments: [
            ("en", "Account", "Nobody is signed in.", "Signed in as BJHL."),
            ("zh-Hans", "账户", "尚未登录。", "已登录：BJHL。"),
        ]
    )
    func content(language: String, title: String, before: String, after: String) async throws {
        let bench = try await Bench(language: language)
        let page = try await bench.page("app://account")
        #expect(page.title == title)
        #expect(page.content == [.text(before)])
        try await bench.signIn("BJHL")
        #expect(page.content == [.text(after)])
    }

    @Test("signs in by opening the sign-in page, and signs out by itself")
    func actions() async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://account")
        #expect(page.actions == [PageAction("signIn", title: "Sign in")])
        try await page.perform("signIn", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://account/sign-in"])

        try await bench.signIn("BJHL")
        #expect(page.actions == [PageAction("signOut", title: "Sign out")])
        try await page.perform("signOut", input: [:], on: FakeNavigator(showing: page))
        #expect(try await bench.mediator.isSignedIn() == false)
    }

    @Test(
        "and every other page refuse an action they do not offer",
        arguments: ["app://account", "app://account/sign-in", "app://account/profile?name=BJHL&age=5"]
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
