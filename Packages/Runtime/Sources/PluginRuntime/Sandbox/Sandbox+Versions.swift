import PluginCore

extension Sandbox {
    /// The folders where versions lie, whoever names them.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can not be known.
    func versionFolders() throws(AtriumError) -> [FilePath] {
        guard try FileSystem.certainItem(at: plugins) != nil else { return [] }
        var folders: [FilePath] = []
        for identifier in try FileSystem.names(in: plugins) {
            let place = plugins.appending(identifier)
            guard FileSystem.isFolder(place) else { continue }
            folders += try FileSystem.names(in: place).map { place.appending($0) }.filter(FileSystem.isFolder)
        }
        return folders
    }
}
