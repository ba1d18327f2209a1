internal import AccountInterface
internal import PluginCore

/// The page that shows who is signed in.
final class HomePage: Page {
    private let bundle: AccountBundle

    init(_ bundle: AccountBundle) {
        self.bundle = bundle
    }

    var title: String { bundle.strings.string("home.title") }

    var content: [PageElement] {
        guard let user = bundle.sessions.user else { return [.text(bundle.strings.string("home.signedOut"))] }
        return [.text(bundle.strings.string("home.signedInAs", user))]
    }

    var actions: [PageAction] {
        bundle.sessions.user == nil
            ? [PageAction("signIn", title: bundle.strings.string("home.signIn"))]
            : [PageAction("signOut", title: bundle.strings.string("home.signOut"))]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        switch action {
        case "signIn": try await bundle.context.router.open(AccountRoutes.signIn)
        case "signOut": try bundle.sessions.signOut()
        default: throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
    }
}
