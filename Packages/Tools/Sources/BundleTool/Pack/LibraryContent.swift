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
    /// - Parameters:
    ///   - manifest: the bundle's, if it could be read.
    ///   - dependencies: the libraries that it is linked with.
    func verdict(in manifest: Manifest?, with dependencies: LibraryDependencies) -> LibraryVerdict {
        manifest.flatMap { LibraryPreflight.judge(libraryOf: $0, content: bytes, dependencies: dependencies) }
            ?? LibraryPreflight.judge(bytes, named: path.lastComponent, dependencies: dependencies)
    }
}
