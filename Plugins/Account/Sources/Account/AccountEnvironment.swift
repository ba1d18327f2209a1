internal import PluginCore

/// What all pages and actions of the plugin share.
@MainActor
final class AccountEnvironment {
    let context: BundleContext
    let sessions: SessionStore

    init(context: BundleContext, sessions: SessionStore) {
        self.context = context
        self.sessions = sessions
    }

    /// A text in the user's language.
    var strings: BundleResources { context.resources }

    /// The name of who is signed in, for `account/user`. An object is there or is not; there is no empty one.
    func user(at uri: ResourceURI) throws -> String {
        guard let user = sessions.user else {
            throw AtriumError(.resourceUnknown, uri.text, detail: "nobody is signed in")
        }
        return user
    }
}
