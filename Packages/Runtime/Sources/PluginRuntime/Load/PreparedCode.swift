import BundleFormat
package import HostSystem
package import PluginCore
package import Registry
import Synchronization

/// The code of an extension or plugin of an installed version, verified and open, for a process that loads exactly these files.
///
/// The version is not removed while this host runs.
public struct PreparedCode: Sendable {
    /// The version that contains the code.
    package let bundle: PluginBundle
    /// The libraries in the order of loading; the last is the one with the code.
    package let libraries: [LibraryFile]
    /// The bundles and file names of these libraries.
    package let origins: [(bundle: BundleIdentity, file: String)]
    /// The folders that contain them.
    package let folders: [FilePath]
    /// The folder of the bundle's resources.
    package var resources: FilePath { sealedResources.root }
    private let sealedResources: SealedResources
    /// The use of the bundle's data, which must last as long as the process.
    package let data: DataUse
    /// The permissions that the bundle has asked for.
    package let permissions: [BundlePermission]
    /// The folders of the bundle's app groups, by name.
    package let groups: [String: FilePath]

    /// Makes all checks of a load for a version and the libraries that it requires, and opens the libraries.
    ///
    /// - Parameters:
    ///   - entry: The file name of the library.
    ///   - data: The use of the bundle's data.
    /// - Throws: The errors of loading a bundle.
    init(
        _ entry: String, of bundle: PluginBundle, using data: DataUse, by policy: LoadPolicy
    ) throws {
        let (sandbox, registry) = (policy.sandbox, policy.registry)
        self.bundle = bundle
        self.data = data
        try policy.requireLoad(of: bundle)
        let closure = try policy.libraries(of: bundle)
        let required = closure.libraries
        for library in closure.bundles { try policy.requireLoad(of: library) }
        var opened: [LibraryFile] = []
        do {
            for library in required {
                opened.append(try Self.open(library.soname, of: library.source.bundle, in: sandbox))
            }
            opened.append(try Self.open(entry, of: bundle, in: sandbox))
        } catch {
            for file in opened { file.close() }
            throw error
        }
        libraries = opened
        origins = required.map { ($0.identity, $0.soname) } + [(bundle.identity, entry)]
        folders = (closure.bundles + [bundle]).map { sandbox.folder(of: $0) }
        sealedResources = SealedResources(of: bundle, in: sandbox)
        groups = try sandbox.groups(of: bundle)
        permissions = try registry.placed(bundle).manifest.permissions
        policy.saveRecords()
    }

    /// Opens a library of a version, and compares its content with the seal.
    private static func open(
        _ entry: String, of bundle: PluginBundle, in sandbox: Sandbox
    ) throws(AtriumError) -> LibraryFile {
        let name = BundleShape.libraryPath(of: entry)
        guard let sealed = try InstalledSeal(of: bundle, in: sandbox).seal().file(name) else {
            throw AtriumError(
                .libraryMissing, bundle.identity, reason: "entryNotSealed", ["file": .text(name)])
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

    /// Returns a resource of the version, compared with the seal.
    ///
    /// - Throws: The errors of ``BundleResources/bytes(of:)``.
    package func resource(_ name: String) throws -> [UInt8] { try sealedResources.bytes(of: name) }

    /// Checks that the libraries have not changed while another process loaded them, and closes them.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken`.
    package func finishLoading() throws(AtriumError) {
        defer { for file in libraries { file.close() } }
        for file in libraries { try file.requireUntouched() }
    }
}

extension BundleManager {
    /// Makes all checks of a load for an extension of an installed version, and opens its libraries.
    ///
    /// - Parameter entry: The file name of the extension's library.
    /// - Throws: The errors of loading a bundle.
    package func prepareCode(_ entry: String, of bundle: PluginBundle) async throws -> PreparedCode {
        let data: DataUse
        do {
            data = try await self.data.use(of: bundle)
        } catch is ActivationCanceled {
            throw AtriumError(.bundleUnavailable, bundle.identity, reason: "replacedWhileStarting")
        }
        return try PreparedCode(entry, of: bundle, using: data, by: policy)
    }

    /// Sets the closure that ends idle users of a bundle's data, such as processes that wait for requests of its extensions.
    package func setIdleUsersEnd(_ body: @escaping @Sendable (BundleIdentifier) async -> Void) {
        transactions.endIdleUsers.withLock { $0 = body }
    }
}
