import AccountInterface
import PluginCore
import PluginTestKit
import Synchronization
import Testing

@testable import Account

@Suite("The profile page", .tags(.small))
@MainActor
struct ProfilePageTests {
    /// A thread-safe recorder of greetings.
    private final class Listener: Sendable {
        private let texts = Mutex<[String]>([])
        var heard: [String] { texts.withLock { $0 } }
        var onGreeting: @Sendable (String) async -> Void {
            { [self] text in texts.withLock { $0.append(text) } }
        }
    }

    @Test("The profile page shows a person, also without a closure for the greeting")
    func content() async throws {
        let page = try await Bench().page("app://account/profile?name=Ann&age=30")
        #expect(page.title == "Profile")
        #expect(page.content == [.field(label: "Name", value: "Ann"), .field(label: "Age", value: "30")])
        #expect(page.actions.map(\.description) == [.init("greet", title: "Congratulate")])
        try await page.perform("greet", input: [:], on: FakeNavigator(showing: page))
    }

    @Test("A profile page that was opened by the mediator sends its greeting to the caller")
    func mediator() async throws {
        let listener = Listener()
        let page = try await Bench().mediator.perform(
            AccountActions.profilePage, Person(name: "Ann", age: 30),
            userInfo: [AccountActions.onGreeting: listener.onGreeting])
        try await page.perform("greet", input: [:], on: FakeNavigator(showing: page))
        #expect(listener.heard == ["Happy birthday, Ann! You are 30 today."])
    }

    @Test(
        "A profile page that was opened by address sends its greeting to the opener, in the user's language",
        arguments: [("en", "Happy birthday, Ann! You are 30 today."), ("zh-Hans", "Ann，30 岁生日快乐！")])
    func address(language: String, greeting: String) async throws {
        let listener = Listener()
        let page = try await Bench(language: language).page(
            "app://account/profile?name=Ann&age=30", userInfo: [AccountActions.onGreeting: listener.onGreeting]
        )
        try await page.perform("greet", input: [:], on: FakeNavigator(showing: page))
        try await page.perform("greet", input: [:], on: FakeNavigator(showing: page))
        #expect(listener.heard == [greeting, greeting])
    }

    @Test(
        "A missing or invalid parameter of the profile page is named in the error",
        arguments: [
            ("app://account/profile?age=30", AtriumError.Code.parameterMissing, "name"),
            ("app://account/profile?name=Ann", .parameterMissing, "age"),
            ("app://account/profile?name=Ann&age=thirty", .parameterType, "age"),
            ("app://account/profile?name=Ann&age=30&onGreeting=me", .parameterType, "onGreeting"),
        ]
    )
    func parameters(address: String, code: AtriumError.Code, subject: String) async throws {
        let bench = try await Bench()
        let error = await #expect(throws: AtriumError.self) { try await bench.page(address) }
        #expect(error?.code == code)
        #expect(error?.subject == subject)
    }
}
