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

    @Test(
        "The profile page shows a person in the user's language",
        arguments: [("en", "Name", "Age", "Say hello"), ("zh-Hans", "姓名", "年龄", "打招呼")]
    )
    func content(language: String, name: String, age: String, greet: String) async throws {
        let page = try await Bench(language: language).page("app://account/profile?name=BJHL&age=5")
        #expect(page.title == "C-2")
        #expect(page.content == [.field(label: name, value: "BJHL"), .field(label: age, value: "5")])
        #expect(page.actions == [PageAction("greet", title: greet)])
    }

    @Test("A profile page that was opened by the mediator sends its greeting to the caller")
    func mediator() async throws {
        let listener = Listener()
        let page = try await Bench().mediator.profilePage(name: "BJHL", age: 5, onGreeting: listener.onGreeting)
        try await page.perform("greet", input: [:], on: FakeNavigator(showing: page))
        #expect(listener.heard == ["BJHL5岁啦"])
    }

    @Test(
        "A profile page that was opened by address sends its greeting to the opener, the same in every language",
        arguments: ["en", "zh-Hans"])
    func address(language: String) async throws {
        let listener = Listener()
        let page = try await Bench(language: language).page(
            "app://account/profile?name=BJHL&age=5", userInfo: [AccountNames.onGreeting: listener.onGreeting]
        )
        try await page.perform("greet", input: [:], on: FakeNavigator(showing: page))
        try await page.perform("greet", input: [:], on: FakeNavigator(showing: page))
        #expect(listener.heard == ["BJHL5岁啦", "BJHL5岁啦"])
    }

    @Test("The parameters of the profile page can be passed as user info, without a closure for the greeting")
    func userInfo() async throws {
        let page = try await Bench().page("app://account/profile", userInfo: ["name": "Anna", "age": 30])
        #expect(page.content == [.field(label: "Name", value: "Anna"), .field(label: "Age", value: "30")])
        try await page.perform("greet", input: [:], on: FakeNavigator(showing: page))
    }

    @Test(
        "A missing or invalid parameter of the profile page is named in the error",
        arguments: [
            ("app://account/profile?age=5", AtriumError.Code.parameterMissing, "name"),
            ("app://account/profile?name=BJHL", .parameterMissing, "age"),
            ("app://account/profile?name=BJHL&age=five", .parameterType, "age"),
            ("app://account/profile?name=BJHL&age=5&onGreeting=me", .parameterType, "onGreeting"),
        ]
    )
    func parameters(address: String, code: AtriumError.Code, subject: String) async throws {
        let bench = try await Bench()
        let error = await #expect(throws: AtriumError.self) { try await bench.page(address) }
        #expect(error?.code == code)
        #expect(error?.subject == subject)
    }
}
