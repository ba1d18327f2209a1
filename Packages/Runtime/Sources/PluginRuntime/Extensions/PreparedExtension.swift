import BundleFormat
import HostSystem
import Preflight
package import PluginCore
package import Registry

/// The files of an extension of an installed version, verified and open, for a process that loads exactly these files.
///
/// The version is not removed while this host runs.
package struct PreparedExtension: Sendable {
    /// The version that contains the extension.
    package let bundle: PluginBundle
    /// The libraries in the order of loading; the last is the extension's.
    package let libraries: [AttachmentFile]
    /// The folders that contain them.
    package let folders: [FilePath]
    /// The folder of the bundle's resources.
    package let resources: FilePath
    /// The folders of the bundle's data.
    package let container: BundleContainer
    /// The permissions that the bundle has asked for.
    package let permissions: [BundlePermission]
    /// The folders of the bundle's app groups, by name.
    package let groups: [String: FilePath]
    private let opened: [LibraryFile]

    /// Makes all checks of a load for a version and the libraries that it requires, and opens the libraries.
    ///
    /// - Parameter entry: The file name of the extension's library.
    /// - Throws: The errors of loading a bundle.
    init(
        _ entry: String, of bundle: PluginBundle, in sandbox: Sandbox, _ registry: Registry, by policy: LoadPolicy
    ) throws {
        self.bundle = bundle
        try policy.require(bundle, for: .load)
        let required = try LibraryResolver(sandbox: sandbox, registry: registry).libraries(of: bundle).libraries
        for library in required { try policy.require(library.source, for: .load) }
        var opened: [LibraryFile] = []
        do {
            for library in required {
                opened.append(try Self.open(library.soname, of: library.source, in: sandbox))
            }
            opened.append(try Self.open(entry, of: bundle, in: sandbox))
            var libraries: [AttachmentFile] = []
            for file in opened { libraries.append(try AttachmentFile(duplicating: file.descriptor)) }
            self.libraries = libraries
        } catch {
            for file in opened { file.close() }
            throw error
        }
        self.opened = opened
        folders = (required.map(\.source) + [bundle]).map { sandbox.folder(of: $0) }
        resources = SealedResources(of: bundle, in: sandbox).root
        let files = BundleFiles(of: bundle, in: sandbox)
        container = files.container
        groups = try files.groups()
        permissions = try registry.placed(bundle).manifest.permissions
        policy.saveRecords()
    }

    /// Opens a library of a version, and compares its content with the seal.
    private static func open(
        _ entry: String, of bundle: PluginBundle, in sandbox: Sandbox
    ) throws(AtriumError) -> LibraryFile {
        let name = BundleShape.libraryPath(of: entry)
        let seal = try Seal(reading: InstalledSeal(of: bundle, in: sandbox).source(), of: bundle.identity.description)
        guard let sealed = seal.file(name) else {
            throw AtriumError(
                .libraryMissing, bundle.identity.description, reason: "entryNotSealed", ["file": .text(name)])
        }
        let file = try LibraryFile(opening: sandbox.folder(of: bundle).appending(name), of: bundle.identity)
        do throws(AtriumError) {
            _ = try file.requireSealed(as: sealed.sha256, known: nil)
            return file
        } catch {
            file.close()
            throw error
        }
    }

    /// Checks that the libraries have not changed while another process loaded them, and closes them.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken`.
    package func finishLoading() throws(AtriumError) {
        defer { for file in opened { file.close() } }
        for file in opened { try file.requireUntouched() }
    }
}

extension BundleManager {
    /// Makes all checks of a load for an extension of an installed version, and opens its libraries.
    ///
    /// - Parameter entry: The file name of the extension's library.
    /// - Throws: The errors of loading a bundle.
    package func prepareExtension(_ entry: String, of bundle: PluginBundle) throws -> PreparedExtension {
        try PreparedExtension(entry, of: bundle, in: sandbox, registry, by: policy)
    }

    /// Returns a resource of an installed version, compared with the seal.
    ///
    /// - Throws: The errors of ``BundleResources/bytes(of:)``.
    package func resource(_ name: String, of bundle: PluginBundle) throws -> [UInt8] {
        try SealedResources(of: bundle, in: sandbox).bytes(of: name)
    }

    /// Quarantines an active version of which a part, such as an extension, keeps crashing, and activates the version before it.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    package func quarantine(_ bundle: PluginBundle, because reason: ErrorReason) async throws {
        _ = try await transactions.quarantine.quarantine(bundle, because: reason)
        await liveUpdates.refresh()
    }
}
