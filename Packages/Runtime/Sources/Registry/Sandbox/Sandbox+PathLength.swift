import HostSystem
package import PluginCore

extension Sandbox {
    /// The maximum length of the root's absolute path, in bytes.
    ///
    /// SQLite opens a database only if its absolute path with the suffix `-journal` has at most 512 bytes, and a new registry
    /// temporarily has the suffix `.new`.
    static let rootLimit = 512 - "-journal".utf8.count - "/Containers/Bundle/registry.sqlite.new".utf8.count

    /// Checks that the path is short enough for SQLite to open the registry.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnusable`; the detail has both lengths.
    package func requireShortPath() throws(AtriumError) {
        var length = root.string.utf8.count
        if !root.string.hasPrefix("/") {
            length += FileSystem.currentFolder.map { $0.string.utf8.count + 1 } ?? 0
        }
        guard length > Self.rootLimit else { return }
        throw AtriumError(
            .sandboxUnusable, root.string,
            reason: "pathTooLongForSQLite", ["length": .integer(length), "limit": .integer(Self.rootLimit)])
    }
}
