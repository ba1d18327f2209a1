package import HostSystem
package import PluginCore

/// Protection against links: the sandbox never writes, checks or removes anything through a link, except that its root may be one.
extension Sandbox {
    /// Checks that no component of the paths from the root to some folders is a link.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable` and the link as subject, or `inputOutput`.
    package func requireOwn(_ folders: [FilePath]) throws(AtriumError) {
        guard let link = try FileSystem.firstLink(from: root, to: folders) else { return }
        throw AtriumError(.sandboxUnwritable, link, reason: "symbolicLink")
    }

    /// Opens a folder of the sandbox.
    ///
    /// - Returns: `nil` when it doesn't exist or its path contains a link.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be determined.
    package func openedUnlessLinked(_ folder: FilePath) throws(AtriumError) -> OpenFolder? {
        try FileSystem.firstLink(from: root, to: [folder]) == nil ? opened(folder) : nil
    }

    /// Opens a folder of the sandbox.
    ///
    /// - Returns: `nil` when it doesn't exist.
    /// - Throws: as ``requireOwn(_:)``.
    package func opened(_ folder: FilePath) throws(AtriumError) -> OpenFolder? {
        try OpenFolder.open(folder, below: root) { () throws(AtriumError) in
            try requireOwn([folder])
        }
    }

    /// Removes a folder. It is moved away first, because a folder with its name is whole.
    ///
    /// - Returns: its size in bytes; 0 if it can't be deleted now, which the next cleaning of the staging folder does.
    package func discard(_ folder: FilePath) throws(AtriumError) -> Int64 {
        let away = staging.appending("discarded-\(processSerial())")
        try FileSystem.rename(folder, to: away)
        return (try? FileSystem.free(away)) ?? 0
    }
}

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
            .sandboxUnusable, root,
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
            .sandboxUnusable, root,
            reason: "pathTooLongForSQLite", ["length": .integer(length), "limit": .integer(Self.rootLimit)])
    }

    /// Returns all folders of versions on the disk, in the registry or not.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when they can't be listed.
    package func versionFolders() throws(AtriumError) -> [FilePath] {
        guard try FileSystem.item(at: plugins) != nil else { return [] }
        var folders: [FilePath] = []
        for identifier in try FileSystem.names(in: plugins) {
            let place = plugins.appending(identifier)
            guard try FileSystem.isFolder(place) else { continue }
            for name in try FileSystem.names(in: place) where try FileSystem.isFolder(place.appending(name)) {
                folders.append(place.appending(name))
            }
        }
        return folders
    }
}
