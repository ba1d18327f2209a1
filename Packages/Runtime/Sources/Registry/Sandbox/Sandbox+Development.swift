import HostSystem
import PluginCore

/// The separation of sandboxes for development from all others.
///
/// In a sandbox for development, a host runs what an author has just built, so a host for users must not open it by accident, and a host in
/// development must not replace plugins that a user has installed.
extension Sandbox {
    /// Checks that the sandbox on the disk is for the same purpose as this one.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnusable`, or `inputOutput` or `sandboxUnwritable` when that can't be determined.
    func requirePurpose() throws(AtriumError) {
        guard try FileSystem.isFile(developmentMark) != isForDevelopment else { return }
        throw AtriumError(
            .sandboxUnusable, root.string,
            reason: isForDevelopment ? "sandboxNotForDevelopment" : "sandboxForDevelopment")
    }

    /// Marks a sandbox for development in which nothing was installed or trusted yet.
    func markIfNew() throws(AtriumError) {
        guard isForDevelopment, try !FileSystem.isFile(developmentMark), try !FileSystem.isFile(registry),
            try !FileSystem.isFile(trust)
        else { return }
        try FileSystem.makeFolders(developmentMark.parent)
        try FileSystem.replace(developmentMark, with: [], mode: 0o644)
    }
}
