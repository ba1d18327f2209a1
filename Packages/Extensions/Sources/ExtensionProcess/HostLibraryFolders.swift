internal import HostSystem
package import PluginCore

/// The folders of the libraries that a host shares with plugins and extensions.
package enum HostLibraryFolders {
    /// The folders of Core, SQLite and the Swift runtime, each once.
    package static let all: [FilePath] = {
        let shared = ["libPluginCore.so", "libSQLite.so", "libswiftCore.so"]
        var folders: [FilePath] = []
        for object in LoadedObjects.paths()
        where shared.contains(object.lastComponent) && !folders.contains(object.parent) {
            folders.append(object.parent)
        }
        return folders
    }()
}
