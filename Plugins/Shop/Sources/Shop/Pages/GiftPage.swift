internal import AccountInterface
internal import PluginCore

/// The page of a gift card, which opens another plugin's profile page in two ways and receives its greeting.
final class GiftPage: Page {
    private let bundle: ShopBundle
    private var greetings: [String] = []

    init(_ bundle: ShopBundle) {
        self.bundle = bundle
    }

    var title: String { bundle.strings.string("gift.title") }

    var content: [PageElement] {
        let explanation = PageElement.text(bundle.strings.string("gift.explanation"))
        return greetings.isEmpty ? [explanation] : [explanation, .list(greetings.map { PageRow($0) })]
    }

    var actions: [PageAction] {
        [
            PageAction("choose", title: bundle.strings.string("gift.choose")),
            PageAction("look-up", title: bundle.strings.string("gift.lookUp")),
        ]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        let onGreeting: @Sendable (String) async -> Void = { text in await self.hear(text, on: navigator) }
        switch action {
        case "choose":
            let page = try await bundle.context.mediator.profilePage(name: "Ann", age: 30, onGreeting: onGreeting)
            navigator.push(page)
        case "look-up":
            try await bundle.context.router.open(
                AccountRoutes.profile, Person(name: "Ann", age: 30),
                userInfo: [AccountActions.onGreeting: onGreeting])
        default:
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
    }

    private func hear(_ text: String, on navigator: any Navigator) {
        greetings.append(text)
        navigator.show(notice: bundle.strings.string("gift.written", text))
    }
}
