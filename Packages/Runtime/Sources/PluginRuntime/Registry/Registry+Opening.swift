import PluginCore

/// How a connection learns which file it is connected to.
extension Registry {
    /// Opens what lies at a path, and tells which file that was. When another one took its place meanwhile, nobody knows which of
    /// the two is open: it is opened again.
    ///
    /// - Parameters:
    ///   - open: opens it.
    ///   - file: tells which file lies there now; `nil` for none.
    /// - Throws: what both throw, and ``AtriumError`` with code `sandboxBusy` when it takes no end.
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
        throw AtriumError(.sandboxBusy, "", detail: "another host puts a new registry in its place again and again")
    }
}
