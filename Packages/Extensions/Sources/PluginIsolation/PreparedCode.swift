import BundleFormat
package import HostSystem
package import PluginCore
package import PluginRuntime
package import Registry

/// The code of an extension or plugin of an installed version, verified and open, for a process that loads exactly these files.
///
/// The versions are not removed as long as this value exists.
package struct PreparedCode {
    /// The version that contains the code.
    package let bundle: PluginBundle
    /// The libraries in the order of loading; the last is the one with the code.
    package let libraries: [LibraryFile]
    /// The bundles and file names of these libraries.
    let origins: [(bundle: BundleIdentity, file: String)]
    /// The folders that contain them.
    let folders: [FilePath]
    /// The folder of the bundle's resources.
    var resources: FilePath { sealedResources.root }
    private let sealedResources: SealedResources
    /// The folders of the version and of the libraries' versions.
    private let used: [UsedFolder]
    /// The use of the bundle's data, which must last as long as the process.
    package let data: DataUse
    /// The permissions that the bundle has asked for.
    package let permissions: [BundlePermission]
    /// The folders of the bundle's app groups, by name.
    let groups: [String: FilePath]

    /// Makes all checks of a load for a version and the libraries that it requires, and opens the libraries.
    ///
    /// - Parameters:
    ///   - entry: The file name of the library.
    ///   - data: The use of the bundle's data.
    /// - Throws: The errors of loading a bundle.
    package init(
        _ entry: String, of bundle: PluginBundle, using data: DataUse, by policy: LoadPolicy
    ) throws {
        let (sandbox, registry) = (policy.sandbox, policy.registry)
        self.bundle = bundle
        self.data = data
        let own = try policy.requireLoad(of: bundle)
        let libraries = try policy.libraries(of: bundle)
        used = try [own] + libraries.bundles.map { try policy.requireLoad(of: $0) }
        let parts = libraries.libraries.map { ($0.source.bundle, $0.soname) } + [(bundle, entry)]
        var opened: [LibraryFile] = []
        do {
            for (version, file) in parts {
                // Compared with the seal, because the registry only knows the digest of the plugin's own library.
                let folder = sandbox.folder(of: version)
                let name = try BundleShape.libraryPath(of: file, of: version.identity, in: folder)
                guard let sealed = try InstalledSeal(of: version, in: sandbox).seal().file(name) else {
                    throw AtriumError(
                        .libraryMissing, version.identity, reason: "entryNotSealed", ["file": .text(name)])
                }
                opened.append(try LibraryFile(opening: folder.appending(name), of: version.identity))
                _ = try opened.last?.requireSealed(as: sealed.sha256, known: nil)
            }
        } catch {
            for file in opened { file.close() }
            throw error
        }
        self.libraries = opened
        origins = parts.map { version, file in (version.identity, file) }
        folders = parts.map { version, _ in sandbox.folder(of: version) }
        sealedResources = SealedResources(of: bundle, in: sandbox)
        groups = try sandbox.groups(of: bundle)
        permissions = try registry.versions.manifest(of: bundle).permissions
        policy.saveRecords()
    }

    /// Returns a resource of the version, compared with the seal.
    ///
    /// - Throws: The errors of ``BundleResources/bytes(of:)``.
    func resource(_ name: String) throws -> [UInt8] { try sealedResources.bytes(of: name) }

    /// Checks that the libraries have not changed while another process loaded them, and closes them.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken`.
    package func finishLoading() throws(AtriumError) {
        defer { for file in libraries { file.close() } }
        for file in libraries { try file.requireUntouched() }
    }
}
