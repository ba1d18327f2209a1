internal import FoundationEssentials
internal import PluginCore

/// Keeps the session in a file and nowhere else, so that every process, and every version of the plugin that is loaded,
/// agrees on who is signed in.
@MainActor
final class SessionStore {
    private let file: FilePath
    private let logger: BundleLogger

    init(context: BundleContext) {
        file = context.container.documents.appending("session.json")
        logger = context.logger
    }

    /// Who is signed in. A file that cannot be read means nobody, and is logged.
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

    /// Signs `user` in, in the place of whoever was.
    ///
    /// - Throws: what the file system throws; the old session is then still there.
    func signIn(_ user: String) throws {
        let data = try JSONEncoder().encode(Session(user: user))
        try data.write(to: URL(filePath: file.string), options: .atomic)
    }

    /// Signs out, also from a damaged session.
    ///
    /// - Throws: what the file system throws.
    func signOut() throws {
        guard FileManager.default.fileExists(atPath: file.string) else { return }
        try FileManager.default.removeItem(atPath: file.string)
    }
}
