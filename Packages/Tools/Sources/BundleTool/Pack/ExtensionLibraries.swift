import PluginCore

/// The built libraries of a bundle's extensions: those that the command line names, and those beside the bundle's own library.
struct ExtensionLibraries {
    let given: [FilePath]
    /// The bundle's own library, if there is one.
    let beside: FilePath?
    /// The triple of their platform; `nil` for this machine's.
    var platform: String?

    /// Reads the library of each extension.
    ///
    /// - Parameters:
    ///   - entries: the file names of the libraries, from the manifest.
    ///   - identity: the bundle, for errors.
    /// - Throws: ``PackError`` for a missing library, or for one that no extension has.
    func contents(
        for entries: [String], of identity: BundleIdentity
    ) throws -> [(entry: String, content: LibraryContent)] {
        if let other = given.first(where: { !entries.contains($0.lastComponent) }) {
            throw PackError.extensionLibraryUnwanted(identity, library: other, entries: entries)
        }
        return try entries.map { entry in
            let named = given.first { $0.lastComponent == entry }
            guard let path = named ?? beside?.parent.appending(entry), named != nil || Files.kind(of: path) != nil
            else { throw PackError.extensionLibraryNeeded(identity, entry: entry, platform: platform) }
            return (entry, try LibraryContent(reading: path, remedy: "build the extension, and specify its library"))
        }
    }
}
