internal import FoundationEssentials
internal import PluginCore

/// The storage of the session in a file.
///
/// The session is not cached, so that every process and every loaded version of the plugin has the same one.
@MainActor
final class SessionStore {
    private let file: FilePath
    private let logger: BundleLogger

    init(context: BundleContext) {
        file = context.container.documents.appending("session.json")
        logger = context.logger
    }

    /// The signed-in user; `nil` if there is none or if the file cannot be read, which is logged.
    var user: String? {
        guard FileManager.default.fileExists(atPath: file.string) else { return nil }
        do {
            let data = try Data(contentsOf: URL(filePath: file.string))
            return try JSONDecoder().decode(Session.self, from: data).user
        } catch {
            logger.error("\(file) is damaged, so nobody is signed in: \(error)")
            return nil
        }
    }

    /// Signs a user in and replaces the previous one.
    ///
    /// - Throws: the error of the file system; the previous session is kept in that case.
    func signIn(_ user: String) throws {
        let data = try JSONEncoder().encode(Session(user: user))
        try data.write(to: URL(filePath: file.string), options: .atomic)
    }

    /// Signs the user out, even if the session file is damaged.
    ///
    /// - Throws: the error of the file system.
    func signOut() throws {
        guard FileManager.default.fileExists(atPath: file.string) else { return }
        try FileManager.default.removeItem(atPath: file.string)
    }
}
