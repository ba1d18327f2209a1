internal import AccountInterface
internal import PluginCore

/// The page of a gift card, which opens another plugin's profile page in two ways and receives its greeting.
final class GiftPage: Page {
    private let bundle: ShopBundle
    private var greetings: [String] = []

    init(_ bundle: ShopBundle) { self.bundle = bundle }

    var title: String { bundle.texts.giftTitle }

    var content: [PageElement] {
        let explanation = PageElement.text(bundle.texts.giftExplanation)
        return greetings.isEmpty ? [explanation] : [explanation, .list(greetings.map { PageRow($0) })]
    }

    var actions: [PageAction] {
        let (texts, context, ann) = (bundle.texts, bundle.context, Person(name: "Ann", age: 30))
        PageAction("choose", title: texts.giftChoose) { navigator in
            navigator.push(try await context.call(AccountActions.profilePage, ann, userInfo: hearing(on: navigator)))
        }
        PageAction("look-up", title: texts.giftLookUp) { navigator in
            try await context.open(AccountRoutes.profile, ann, userInfo: hearing(on: navigator))
        }
    }

    /// Returns the closure that receives the greeting.
    private func hearing(on navigator: any Navigator) -> ActionParameters {
        let onGreeting: @Sendable (String) async -> Void = { text in await self.hear(text, on: navigator) }
        return [AccountActions.onGreeting: onGreeting]
    }

    private func hear(_ text: String, on navigator: any Navigator) {
        greetings.append(text)
        navigator.show(notice: bundle.texts.giftWritten(text))
    }
}
