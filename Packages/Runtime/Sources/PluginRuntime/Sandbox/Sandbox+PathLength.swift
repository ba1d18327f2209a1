#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

extension Sandbox {
    /// The longest root, in bytes, as an absolute path: SQLite opens a database only if its absolute path and `-journal` have at most
    /// 512 bytes, and a registry in the making has a longer name than the registry.
    static let rootLimit = 512 - "-journal".utf8.count - "/Containers/Bundle/registry.sqlite.new".utf8.count

    /// Makes sure that SQLite can open the registry.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnusable`, both lengths as detail.
    func requireShortPath() throws(AtriumError) {
        var length = root.string.utf8.count
        if !root.string.hasPrefix("/") {
            var folder = [CChar](repeating: 0, count: Int(PATH_MAX))
            length += getcwd(&folder, folder.count) == nil ? 0 : strlen(folder) + 1
        }
        guard length > Self.rootLimit else { return }
        throw AtriumError(
            .sandboxUnusable, root.string,
            detail:
                "its path has \(length) bytes, and SQLite opens a registry only where it has at most \(Self.rootLimit)")
    }
}
