import BundleFormat
package import ExtensionProtocol
import HostSystem
import Preflight
package import PluginCore
package import Registry
import Synchronization

/// The code of an extension or plugin of an installed version, verified and open, for a process that loads exactly these files.
///
/// The version is not removed while this host runs.
package struct PreparedCode: Sendable {
    /// The version that contains the code.
    package let bundle: PluginBundle
    /// The libraries in the order of loading; the last is the one with the code.
    package let libraries: [AttachmentFile]
    /// The bundles and file names of these libraries.
    let origins: [(bundle: BundleIdentity, file: String)]
    /// The folders that contain them.
    package let folders: [FilePath]
    /// The folder of the bundle's resources.
    package let resources: FilePath
    /// The use of the bundle's data, which must last as long as the process.
    package let data: DataUse
    /// The permissions that the bundle has asked for.
    package let permissions: [BundlePermission]
    /// The folders of the bundle's app groups, by name.
    package let groups: [String: FilePath]
    private let opened: [LibraryFile]

    /// Makes all checks of a load for a version and the libraries that it requires, and opens the libraries.
    ///
    /// - Parameters:
    ///   - entry: The file name of the library.
    ///   - data: The use of the bundle's data.
    /// - Throws: The errors of loading a bundle.
    init(
        _ entry: String, of bundle: PluginBundle, using data: DataUse, in sandbox: Sandbox, _ registry: Registry,
        by policy: LoadPolicy
    ) throws {
        self.bundle = bundle
        self.data = data
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
        origins = required.map { ($0.source.identity, $0.soname) } + [(bundle.identity, entry)]
        folders = (required.map(\.source) + [bundle]).map { sandbox.folder(of: $0) }
        resources = SealedResources(of: bundle, in: sandbox).root
        groups = try BundleFiles(of: bundle, in: sandbox).groups()
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

    /// Returns the message that makes a process load the code.
    ///
    /// - Parameter identifier: The identifier of the extension, or of the bundle for its plugin.
    package func launch(_ identifier: BundleIdentifier, limits: ExtensionLimits, languages: [String]) -> Launch {
        let groups = groups.mapValues(\.string)
        // A plugin runs as long as its host.
        let processorTime = identifier == bundle.identity.identifier ? 0 : limits.processorTime.rounded(.up)
        return Launch(
            identifier: identifier.text, bundle: bundle.identity.identifier.text,
            version: bundle.identity.version.description, libraries: libraries, resources: resources.string,
            languages: languages, container: data.container.root.string, groups: groups,
            readable: (folders + HostLibraryFolders.all).map(\.string),
            writable: [data.container.root.string] + groups.values.sorted(), hasNetwork: permissions.contains(.network),
            host: CurrentProcess.number, memory: UInt64(limits.memory), fileSize: UInt64(limits.fileSize),
            openFiles: UInt32(limits.openFiles), processorSeconds: UInt32(min(processorTime, 1e9)))
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
    package func prepareCode(_ entry: String, of bundle: PluginBundle) async throws -> PreparedCode {
        let data: DataUse
        do {
            data = try await policy.data.use(of: bundle)
        } catch is ActivationCanceled {
            throw AtriumError(.bundleUnavailable, bundle.identity.description, reason: "replacedWhileStarting")
        }
        return try PreparedCode(entry, of: bundle, using: data, in: sandbox, registry, by: policy)
    }

    /// Sets the closure that ends idle users of a bundle's data, such as processes that wait for requests of its extensions.
    package func setIdleUsersEnd(_ body: @escaping @Sendable (BundleIdentifier) async -> Void) {
        policy.data.endIdleUsers.withLock { $0 = body }
    }

    /// Returns a resource of an installed version, compared with the seal.
    ///
    /// - Throws: The errors of ``BundleResources/bytes(of:)``.
    package func resource(_ name: String, of bundle: PluginBundle) throws -> [UInt8] {
        try SealedResources(of: bundle, in: sandbox).bytes(of: name)
    }

    /// The number of failures of an extension within five minutes after which it is disabled.
    package static let failureLimit = ProcessCrashes.limit

    /// Counts a failure of an extension, and disables it after three in five minutes.
    ///
    /// Its bundle goes on, with its other extensions.
    ///
    /// - Returns: Whether the extension is disabled now.
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    package func countFailure(of identifier: BundleIdentifier, in bundle: PluginBundle) throws -> Bool {
        guard try processCrashes.crashes.add(bundle, part: identifier, at: Clock.now()) else { return false }
        try registry.extensionChoices.setEnabled(false, of: identifier)
        // Not before: if the sandbox is busy, the next failure disables the extension.
        try processCrashes.crashes.forget(bundle, part: identifier)
        return true
    }
}
