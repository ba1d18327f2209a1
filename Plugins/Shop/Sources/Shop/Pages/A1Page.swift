internal import AccountInterface
internal import PluginCore

/// The page that opens another plugin's profile page in two ways and receives its greeting.
final class A1Page: Page {
    let title = "A-1"
    private let environment: ShopEnvironment
    private var greetings: [String] = []

    init(_ environment: ShopEnvironment) {
        self.environment = environment
    }

    var content: [PageElement] {
        let explanation = PageElement.text(environment.strings.string("a1.explanation"))
        return greetings.isEmpty ? [explanation] : [explanation, .list(greetings.map { PageRow($0) })]
    }

    var actions: [PageAction] {
        [
            PageAction("mediator", title: environment.strings.string("a1.mediator")),
            PageAction("router", title: environment.strings.string("a1.router")),
        ]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        let onGreeting: @Sendable (String) async -> Void = { text in await self.hear(text, on: navigator) }
        switch action {
        case "mediator":
            let page = try await environment.context.mediator.profilePage(name: "BJHL", age: 5, onGreeting: onGreeting)
            navigator.push(page)
        case "router":
            try await environment.context.router.open(
                "app://account/profile?name=BJHL&age=5", userInfo: ["onGreeting": onGreeting]
            )
        default:
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
    }

    private func hear(_ text: String, on navigator: any Navigator) {
        greetings.append(text)
        navigator.show(notice: environment.strings.string("a1.said", text))
    }
}
