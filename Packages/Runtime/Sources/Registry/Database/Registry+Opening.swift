import HostSystem
import PluginCore

/// Opening a database together with the identity of its file.
extension Registry {
    /// Opens the item at a path, and returns which file was opened.
    ///
    /// It tries again when the file was replaced meanwhile, because then it is unknown which of the two was opened.
    ///
    /// - Parameters:
    ///   - open: opens the item.
    ///   - file: returns the identity of the file at the path; `nil` when there is none.
    /// - Throws: the errors of both, and ``AtriumError`` with code `sandboxBusy` when the file is replaced again and again.
    static func open<T>(
        _ open: () throws -> T, seeing file: () throws -> FileStamp.File?
    ) throws -> (T, FileStamp.File?) {
        var before = try file()
        for _ in 1...10 {
            let opened = try open()
            let after = try file()
            if after == before { return (opened, after) }
            before = after
        }
        throw AtriumError(.sandboxBusy, "", reason: "registryReplaced")
    }
}
