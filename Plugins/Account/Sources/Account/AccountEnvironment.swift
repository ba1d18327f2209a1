internal import PluginCore

/// The state that all pages and actions of the plugin share.
@MainActor
final class AccountEnvironment {
    let context: BundleContext
    let sessions: SessionStore

    init(context: BundleContext, sessions: SessionStore) {
        self.context = context
        self.sessions = sessions
    }

    /// The texts in the user's language.
    var strings: BundleResources { context.resources }

    /// Returns the name of the signed-in user for the address `account/user`.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown` if nobody is signed in, because an object cannot be empty.
    func user(at uri: ResourceURI) throws -> String {
        guard let user = sessions.user else {
            throw AtriumError(.resourceUnknown, uri.text, detail: "nobody is signed in")
        }
        return user
    }
}
