internal import AccountInterface
internal import PluginCore

/// The page that shows who is signed in.
final class HomePage: Page {
    private let bundle: AccountBundle

    init(_ bundle: AccountBundle) { self.bundle = bundle }

    var title: String { bundle.texts.homeTitle }

    var content: [PageElement] {
        [.text(bundle.sessions.user.map { bundle.texts.homeSignedInAs($0) } ?? bundle.texts.homeSignedOut)]
    }

    var actions: [PageAction] {
        if bundle.sessions.user == nil {
            PageAction("signIn", title: bundle.texts.homeSignIn) { _ in
                try await bundle.context.open(AccountRoutes.signIn)
            }
        } else {
            PageAction("signOut", title: bundle.texts.homeSignOut) { _ in try bundle.sessions.signOut() }
        }
    }
}
