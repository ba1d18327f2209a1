import HostSystem
import Preflight
import PluginCore
import PluginRuntime

/// A built library as it is packed, without search paths on the machine that built it.
struct LibraryContent {
    let path: FilePath
    let bytes: [UInt8]

    /// Creates the content of a library.
    ///
    /// - Parameter built: all bytes of the file.
    init(path: FilePath, built: [UInt8]) {
        self.path = path
        bytes = SearchPath.removingForeign(from: built)
    }

    /// Reads a library.
    init(reading path: FilePath, remedy: String) throws {
        let bytes = try Files.bytes(of: path, limit: LibraryPreflight.sizeLimit, remedy: remedy)
        self.init(path: path, built: bytes)
    }

    /// Assesses the library as a host does.
    ///
    /// - Parameters:
    ///   - manifest: the bundle's manifest, if it could be read.
    ///   - name: its name in the package if it is an extension's; `nil` for the bundle's own library.
    ///   - dependencies: the libraries that it links.
    ///   - platform: the triple of its platform.
    func report(
        in manifest: Manifest?, named name: String? = nil, with dependencies: LibraryDependencies,
        for platform: String = Platform.triple
    ) -> LibraryReport {
        manifest.flatMap {
            LibraryPreflight.validate(
                libraryOf: $0, named: name, content: bytes, dependencies: dependencies, platform: platform)
        }
            ?? LibraryPreflight.validate(
                bytes, named: path.lastComponent, dependencies: dependencies, platform: platform)
    }
}
