import PluginCore
import PluginRuntime

/// A built library as it goes into a package: without the folders of the machine that built it.
struct LibraryContent {
    let path: FilePath
    let bytes: [UInt8]

    /// - Parameter built: all bytes of the file.
    init(path: FilePath, built: [UInt8]) {
        self.path = path
        bytes = SearchPath.removingForeign(from: built)
    }

    /// What a host would say of it.
    ///
    /// - Parameter manifest: the bundle's, if it could be read.
    func verdict(in manifest: Manifest?) -> LibraryVerdict {
        manifest.flatMap { LibraryPreflight.judge(libraryOf: $0, content: bytes) }
            ?? LibraryPreflight.judge(bytes, named: path.lastComponent)
    }
}
