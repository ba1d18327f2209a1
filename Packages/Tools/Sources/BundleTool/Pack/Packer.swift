public import PluginCore
public import PluginRuntime

/// Makes a package out of a plugin's folder and its built library.
///
/// ```swift
/// let packer = Packer(folder: "Plugins/Shop", library: ".build/release/libShop.so")
/// let package = try packer.pack(into: "catalog")    // catalog/com.example.app.shop-1.1.0.zip
/// ```
public struct Packer: Sendable {
    private let folder: FilePath
    private let library: FilePath?
    private let manifest: FilePath
    private let resources: FilePath
    private let converters: [String]
    private let needsResources: Bool
    private let dependencies: [FilePath]
    private let hostLibraries: [FilePath]
    private let sealer: Sealer?
    private let isStrict: Bool

    /// Says what belongs together; nothing is read yet.
    ///
    /// - Parameters:
    ///   - folder: the plugin's folder.
    ///   - library: its built library; `nil` for a bundle without code.
    ///   - manifest: by default `manifest.json` in the folder.
    ///   - resources: by default `Resources` in the folder, if it is there; a folder that is named must be.
    ///   - converters: the names that the hosts it is for register beside the standard ones.
    ///   - dependencies: packages of the libraries that it is linked with.
    ///   - hostLibraries: the libraries that it is linked with and that its hosts offer beside those of Atrium.
    ///   - sealer: signs the package; without one it is not signed, and no host installs it.
    ///   - isStrict: whether a warning is an error.
    public init(
        folder: FilePath, library: FilePath? = nil, manifest: FilePath? = nil, resources: FilePath? = nil,
        converters: [String] = [], dependencies: [FilePath] = [], hostLibraries: [FilePath] = [],
        sealedBy sealer: Sealer? = nil, isStrict: Bool = false
    ) {
        self.isStrict = isStrict
        self.dependencies = dependencies
        self.hostLibraries = hostLibraries
        self.sealer = sealer
        self.converters = converters
        self.folder = folder
        self.library = library
        self.manifest = manifest ?? folder.appending("manifest.json")
        self.resources = resources ?? folder.appending("Resources")
        needsResources = resources != nil
    }

    /// Judges everything, then writes `<identifier>-<version>.zip` in one step. The same content gives the same bytes.
    ///
    /// - Parameters:
    ///   - output: the folder for the package; made if it is not there.
    ///   - warn: is told of each thing that a host reads and the author hardly means, such as a text that a language lacks.
    /// - Returns: the package's path.
    /// - Throws: ``PackError``; `AtriumError` with code `manifestInvalid`, `resourceInvalid`, `libraryUnloadable`,
    ///   `libraryIncompatible`, `dependencyUnmet`, `dependencyConflict` or `groupForeign` with every problem that was found, or what
    ///   ``PackageWriter`` throws. Nothing was written then.
    public func pack(into output: FilePath, warn: (String) -> Void = { _ in }) throws -> FilePath {
        guard Files.kind(of: folder) == .folder else {
            throw PackError.notThere(folder, .folder, remedy: "name the folder that holds the plugin's manifest.json")
        }
        let source = try Files.bytes(
            of: manifest, limit: ManifestReader.sizeLimit,
            remedy: "write the plugin's manifest there, or name another one with --manifest")
        let content = try libraryContent()
        let (manifest, found) = try PluginJudge(
            manifest: source, of: self.manifest, resources: try resourceFolder(), library: content,
            converters: converters, dependencies: try Files.packages(dependencies),
            hostLibraries: hostLibraries
        ).judge()
        try AppGroupOwnership.requireOwn(in: manifest, team: sealer?.team)
        let code = try code(of: manifest, content)
        let warnings = (needsResources ? [] : StrayFile.doubts(beside: try Files.names(in: folder))) + found
        if isStrict, !warnings.isEmpty { throw PackError.warnings(folder, warnings) }
        warnings.forEach(warn)

        var writer = PackageWriter()
        try writer.add(source, as: "manifest.json")
        // From memory, so that the package does not depend on the mode that some copy of the library has.
        if let code { try writer.add(code.content, as: "lib/\(Platform.triple)/\(code.entry)") }
        if let resources = try resourceFolder() { try writer.add(folder: resources, as: "Resources") }
        try Files.makeFolder(output)
        let package = output.appending(PackageFile.name(of: manifest.identity))
        try Files.requireRoom(forFile: package)
        try writer.write(
            to: package, of: manifest.identity, sealedBy: sealer, registeredConverters: converters)
        return package
    }

    private func resourceFolder() throws -> FilePath? {
        if Files.kind(of: resources) == .folder { return resources }
        guard needsResources else { return nil }
        throw PackError.notThere(resources, .folder, remedy: "name the folder with the plugin's resources")
    }

    private func libraryContent() throws -> LibraryContent? {
        try library.map { path in
            let bytes = try Files.bytes(
                of: path, limit: LibraryPreflight.sizeLimit, remedy: "build the plugin, and name its library")
            return LibraryContent(path: path, built: bytes)
        }
    }

    /// The library and its name in the package; whether there must be one is the manifest's word.
    private func code(
        of manifest: Manifest, _ library: LibraryContent?
    ) throws(PackError) -> (content: [UInt8], entry: String)? {
        switch (manifest.entry, library) {
        case (nil, nil): return nil
        case (let entry?, let library?): return (library.bytes, entry)
        case (let entry?, nil): throw .libraryNeeded(manifest.identity, manifest.kind, entry: entry)
        case (nil, let library?): throw .libraryUnwanted(manifest.identity, library: library.path)
        }
    }
}
