internal import PluginCore

extension DefaultsKey<String?> {
    /// The signed-in user.
    fileprivate static var user: Self { Self("user", default: nil) }
}

/// The storage of the session in the plugin's defaults.
///
/// The session is not cached, so that every process and every loaded version of the plugin has the same one.
@MainActor
final class SessionStore {
    private let defaults: any DefaultsStore
    private let logger: BundleLogger

    init(context: BundleContext) { (defaults, logger) = (context.defaults, context.logger) }

    /// The signed-in user; `nil` if there is none or if the defaults cannot be read, which is logged.
    var user: String? {
        do {
            return try defaults[.user]
        } catch {
            logger.error("nobody is signed in: \(error)")
            return nil
        }
    }

    /// Signs a user in and replaces the previous one.
    ///
    /// - Throws: the errors of the defaults; the previous session is kept in that case.
    func signIn(_ user: String) throws { try defaults.set(user, for: .user) }

    /// Signs the user out, even if the session is damaged.
    ///
    /// - Throws: the errors of the defaults.
    func signOut() throws { try defaults.removeValue(for: .user) }
}
