import HostSystem
import PluginCore

extension Sandbox {
    /// Returns all folders of versions on the disk, in the registry or not.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when they can't be listed.
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
