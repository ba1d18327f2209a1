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
        if bundle.sessions.user == nil {
            PageAction("signIn", title: bundle.strings.string("home.signIn")) { _ in
                try await bundle.context.open(AccountRoutes.signIn)
            }
        } else {
            PageAction("signOut", title: bundle.strings.string("home.signOut")) { _ in try bundle.sessions.signOut() }
        }
    }
}
