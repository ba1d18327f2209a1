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
        PageAction("choose", title: bundle.strings.string("gift.choose")) { navigator in
            let onGreeting: @Sendable (String) async -> Void = { text in await self.hear(text, on: navigator) }
            navigator.push(
                try await bundle.context.call(
                    AccountActions.profilePage, Person(name: "Ann", age: 30),
                    userInfo: [AccountActions.onGreeting: onGreeting]))
        }
        PageAction("look-up", title: bundle.strings.string("gift.lookUp")) { navigator in
            let onGreeting: @Sendable (String) async -> Void = { text in await self.hear(text, on: navigator) }
            try await bundle.context.open(
                AccountRoutes.profile, Person(name: "Ann", age: 30),
                userInfo: [AccountActions.onGreeting: onGreeting])
        }
    }

    private func hear(_ text: String, on navigator: any Navigator) {
        greetings.append(text)
        navigator.show(notice: bundle.strings.string("gift.written", text))
    }
}
