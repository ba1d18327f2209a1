internal import AccountInterface
internal import PluginCore

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(AccountBundle.self) }

/// The account plugin, with the user's session and a page that greets a person.
final class AccountBundle: BundleDelegate {
    let context: BundleContext
    let sessions: SessionStore

    init(context: BundleContext) {
        self.context = context
        sessions = SessionStore(context: context)
    }

    static var routes: some RouteSet<AccountBundle> {
        Route(AccountRoutes.home) { account in HomePage(account) }
        Route(AccountRoutes.profile) { account, person, request in
            try ProfilePage(account, person, parameters: request.parameters)
        }
        Route(AccountRoutes.signIn) { account in SignInPage(account) }
        Route(AccountRoutes.user) { account in try account.requireUser() }
    }

    static var targets: some TargetSet<AccountBundle> {
        Action(AccountActions.profilePage) { account, person, parameters in
            try await ProfilePage(account, person, parameters: parameters)
        }
        Action(AccountActions.isSignedIn) { account in await account.sessions.user != nil }
        Action(AccountActions.currentUser) { account in await account.sessions.user }
        Action(AccountActions.requireSignIn) { account in try await account.requireSignIn() }
        Action(AccountActions.signOut) { account in try await account.sessions.signOut() }
    }

    /// The texts in the user's language.
    var texts: Texts { context.texts }
}
