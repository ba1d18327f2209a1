import PluginCore

extension Sandbox {
    /// The folders where versions lie, whoever names them.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that cannot be known.
    func versionFolders() throws(AtriumError) -> [FilePath] {
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
