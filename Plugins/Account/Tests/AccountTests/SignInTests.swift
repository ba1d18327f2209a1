import AccountInterface
import PluginCore
import PluginTestKit
import Testing

@testable import Account

@Suite("Signing in", .tags(.small))
@MainActor
struct SignInTests {
    private let bench: Bench

    init() async throws { bench = try await Bench() }

    @Test("The sign-in page asks for a name")
    func page() async throws {
        let page = try await Bench().page("app://account/sign-in")
        #expect(page.title == "Sign in")
        let name = PageField("name", label: "Name", isRequired: true, message: "Enter a name to sign in.")
        #expect(page.actions.map(\.description) == [.init("signIn", title: "Sign in", fields: [name])])
    }

    @Test("An empty name is rejected", arguments: [["name": ""], ["name": "  \n"], [:]])
    func emptyName(input: [String: String]) async throws {
        let page = try await bench.page("app://account/sign-in")
        let navigator = FakeNavigator(showing: page)
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("signIn", input: input, on: navigator)
        }
        #expect(error?.code == .fieldInvalid && error?.reason == .verbatim("Enter a name to sign in."))
        #expect(try await bench.mediator.perform(AccountActions.isSignedIn) == false)
    }

    @Test("White space around the name is removed")
    func spaces() async throws {
        try await bench.signIn("  Anna Li ")
        #expect(try await bench.mediator.perform(AccountActions.currentUser) == "Anna Li")
    }

    @Test("A sign-in page that was pushed is popped after the sign-in")
    func pushed() async throws {
        let home = try await bench.page("app://account")
        let navigator = FakeNavigator(showing: home)
        let page = try await bench.page("app://account/sign-in")
        navigator.push(page)
        try await page.perform("signIn", input: ["name": "Ann"], on: navigator)
        #expect(navigator.top === home)
        #expect(navigator.notices == ["Welcome, Ann."])
    }

    @Test("A required sign-in presents the page once, and the caller learns about the success")
    func required() async throws {
        let navigator = FakeNavigator()
        bench.router.answer("account/sign-in") { opening in
            #expect(opening.presentation == .modal)
            return .dismissed(await navigator.present(try await bench.page(opening.uri.text)))
        }
        async let answer = bench.mediator.perform(AccountActions.requireSignIn)
        try await navigator.presentedPage().perform("signIn", input: ["name": "Ann"], on: navigator)
        #expect(try await answer)
        #expect(navigator.pages.isEmpty)

        #expect(try await bench.mediator.perform(AccountActions.requireSignIn))
        #expect(bench.router.opened.count == 1)
    }

    @Test("A required sign-in that the user leaves is not successful", arguments: [nil, false])
    func left(value: Bool?) async throws {
        bench.router.answer("account/sign-in") { _ in .dismissed(value) }
        #expect(try await bench.mediator.perform(AccountActions.requireSignIn) == false)
    }

    @Test("A required sign-in fails with the error of a page that cannot be opened")
    func unreachable() async throws {
        bench.router.refuse("account/sign-in")
        let error = await #expect(throws: AtriumError.self) {
            try await bench.mediator.perform(AccountActions.requireSignIn)
        }
        #expect(error?.code == .routeUnknown)
    }
}
