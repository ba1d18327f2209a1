import Authoring
import BundleFormat
import Console
import Trust
import HostSystem
import PluginCore
import PluginLint

/// The packer that creates a package from a plugin's folder and its built library.
///
/// ```swift
/// let packer = Packer(folder: "Plugins/Shop", library: ".build/release/libShop.so")
/// let package = try packer.pack(into: "catalog")    // catalog/com.example.app.shop-1.1.0.zip
/// ```
struct Packer {
    /// The plugin's folder.
    let folder: FilePath
    /// Its library, built for this machine; `nil` for a bundle without code.
    var library: FilePath?
    /// The libraries of its extensions that do not lie beside its own.
    var extensionLibraries: [FilePath] = []
    /// The platform of its libraries for this machine, or their build if there are others for this platform.
    var ownPlatform = Platform.triple
    /// Its libraries for other platforms and builds.
    var others: [PlatformLibraries] = []
    /// The manifest's path; `manifest.json` in the folder by default.
    var manifest: FilePath?
    /// The folder of resources, which must exist if it is given; `Resources` in the folder by default, if it exists.
    var resources: FilePath?
    /// The converters that its hosts register in addition to the standard ones.
    var converters: [String] = []
    /// The packages of the libraries that it links.
    var dependencies: [FilePath] = []
    /// The libraries that it links and that its hosts offer in addition to those of Atrium.
    var hostLibraries: [FilePath] = []
    /// Signs the package; an unsigned package cannot be installed by any host.
    var sealer: Sealer?
    /// A Boolean value that indicates whether warnings are errors.
    var isStrict = false
    /// The time in which the plugin's code must say what it declares.
    var deadline = Duration.seconds(30)
    /// Identifiers that are added to the version in the manifest, such as `dev.7`.
    var prerelease: String?

    /// Its libraries for this machine.
    var own: PlatformLibraries {
        PlatformLibraries(platform: ownPlatform, library: library, extensionLibraries: extensionLibraries)
    }

    var manifestFile: FilePath { manifest ?? folder.appending("manifest.json") }

    /// Validates everything, completes the manifest by the declarations in the plugin's code, and then writes the package in one step.
    ///
    /// The same content yields the same bytes. The file is named `<identifier>-<version>.zip`.
    ///
    /// - Parameters:
    ///   - output: the folder for the package, which is created if it doesn't exist.
    ///   - warn: called for each problem that a host accepts but the author probably did not intend, such as a missing translation.
    ///   - added: called with the declarations that the code adds to the manifest.
    /// - Returns: the package's path.
    /// - Throws: ``CommandError``; `AtriumError` with code `manifestInvalid`, `resourceInvalid`, `libraryUnloadable`,
    ///   `libraryIncompatible`, `dependencyUnmet`, `dependencyConflict` or `groupForeign`, listing every problem; or the errors of
    ///   ``PackageWriter``. Nothing is written in these cases.
    func pack(
        into output: FilePath, warn: (String) -> Void = { _ in }, added: (ManifestAdditions) -> Void = { _ in }
    ) throws -> FilePath {
        guard folder.isFolder else { throw CommandError.notThere(folder, "folder", remedy: "plugin") }
        let source = try Files.bytes(of: manifestFile, limit: ManifestReader.sizeLimit, remedy: "manifest")
        let content = try library.map { try LibraryContent(reading: $0, remedy: "library") }
        let plugin = try PluginValidator(
            packer: self, source: source, resources: try resourceFolder(), library: content,
            dependencies: try Files.packages(dependencies)
        ).validate()
        let (complete, manifest) = (plugin.manifest, plugin.manifest.manifest)
        try AppGroupOwnership.requireOwn(in: manifest, team: sealer?.team)
        let code = try code(of: manifest, content)
        let warnings = (resources != nil ? [] : StrayFile.doubts(beside: try Files.names(in: folder))) + plugin.warnings
        if isStrict, !warnings.isEmpty {
            throw CommandError(.badInput, folder, code: "warnings", reason: "strictWarnings", details: warnings)
        }
        warnings.forEach(warn)
        added(complete.additions)

        var writer = PackageWriter()
        try writer.add(complete.bytes, as: "manifest.json")
        // The bytes come from memory, so that the package does not depend on the mode of the library's file.
        var libraries = code.map { [(place: "\(ownPlatform)/\($0.entry)", bytes: $0.content)] } ?? []
        libraries += plugin.otherLibraries.map { ($0.place, $0.content.bytes) }
        // In this order whatever machine packs them.
        if !others.isEmpty { libraries.sort { $0.place < $1.place } }
        for (place, bytes) in libraries { try writer.add(bytes, as: "lib/\(place)") }
        if let resources = try resourceFolder() { try writer.add(folder: resources, as: "Resources") }
        try Files.makeFolder(output)
        try requireDataVersion(of: manifest, from: output)
        let package = output.appending(PackageFile.name(of: manifest.identity))
        try Files.requireRoom(forFile: package)
        try writer.write(
            to: package, of: manifest.identity, sealedBy: sealer, converters: .standard(registering: converters))
        return package
    }

    /// Checks that no package of a lower version in a folder has a higher data version.
    private func requireDataVersion(of manifest: Manifest, from folder: FilePath) throws {
        for name in try Files.names(in: folder) {
            guard let other = PackageFile.identity(named: name), other.identifier == manifest.identity.identifier,
                other.version < manifest.identity.version,
                let known = try? PackageFile(path: folder.appending(name)).manifest(),
                known.dataVersion > manifest.dataVersion
            else { continue }
            throw AtriumError(
                .manifestInvalid, manifestFile, reason: "dataVersionLowered",
                [
                    "number": .integer(manifest.dataVersion), "version": "\(other.version)",
                    "before": .integer(known.dataVersion),
                ])
        }
    }

    private func resourceFolder() throws -> FilePath? {
        let place = resources ?? folder.appending("Resources")
        if place.isFolder { return place }
        guard resources != nil else { return nil }
        throw CommandError.notThere(place, "folder", remedy: "resources")
    }

    /// Returns the library and its name in the package; the manifest determines whether a library is required.
    private func code(
        of manifest: Manifest, _ library: LibraryContent?
    ) throws(CommandError) -> (content: [UInt8], entry: String)? {
        switch (manifest.entry, library) {
        case (nil, nil): return nil
        case (let entry?, let library?): return (library.bytes, entry)
        case (_?, nil) where !others.isEmpty:
            throw CommandError(
                .usage, manifest.identity, code: "libraryNeeded", reason: "ownLibraryNeeded",
                ["platforms": .list(others.map { LibraryBuild($0.platform).words }), "own": "\(Platform.triple)"])
        case (let entry?, nil):
            throw CommandError(
                .usage, manifest.identity, code: "libraryNeeded", reason: "libraryNotGiven",
                ["kind": "\(manifest.kind.rawValue)", "entry": "\(entry)"])
        case (nil, let library?): throw .libraryUnwanted(manifest.identity, library: library.path)
        }
    }
}
