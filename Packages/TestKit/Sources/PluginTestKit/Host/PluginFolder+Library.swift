internal import Glibc
import BundleFormat
internal import FoundationEssentials
public import PluginCore

extension PluginFolder {
    /// Returns the description of an entry function, found by its symbol in the built library as a host finds it.
    ///
    /// The library is the one next to the test bundle, where `swift test` puts the dynamic library products of the tested package.
    ///
    /// - Parameter library: The file name of an extension's library, or nil for the library of the plugin.
    /// - Throws: ``FixtureError`` if there is no library or no entry function, and ``AtriumError`` if a host would reject the entry.
    public func entry(of library: String? = nil) throws -> EntryDescription {
        let manifest = try manifest()
        guard let name = library ?? manifest.entry else { throw FixtureError("\(manifest.identity) has no library") }
        let file = try Self.builtLibrary(named: name)
        guard let library = dlopen(file.string, RTLD_NOW | RTLD_LOCAL),
            let function = dlsym(library, PluginEntry.symbol)
        else {
            throw FixtureError(dlerror().map { String(cString: $0) } ?? "\(file) has no \(PluginEntry.symbol)")
        }
        let describe = unsafeBitCast(function, to: (@convention(c) () -> UnsafeRawPointer?).self)
        return try EntryDescription(reading: describe(), of: manifest.identity)
    }

    /// Returns the library next to the running test bundle.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist.
    static func builtLibrary(named name: String) throws -> FilePath {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try builtLibrary(named: name, beside: FilePath(bundle))
    }

    static func builtLibrary(named name: String, beside bundle: FilePath) throws -> FilePath {
        let library = bundle.parent.appending(name)
        guard FileManager.default.fileExists(atPath: library.string) else {
            throw FixtureError(
                "there is no \(name) beside the tests in \(bundle.parent); declare a library product of type .dynamic that "
                    + "is called so, or name the file with library:")
        }
        return library
    }
}
