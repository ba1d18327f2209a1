import BundleFormat
import HostSystem
public import PluginCore

/// A host's folder for installed bundles and their data, with the layout of iOS 8 and later: code and data are separate.
///
///     Containers/Bundle/Plugins/<identifier>/<version>-<digest12>/   immutable once installed
///     Containers/Bundle/registry.sqlite                              installed, active and previous versions; routes; history
///     Containers/Bundle/trust.json                                   teams and keys in addition to those of the host
///     Containers/Bundle/CrashLogs/                                   versions whose code runs for the first time
///     Containers/Bundle/CrashReports/                                the calls on the stack of each crash, for people
///     Containers/Bundle/MinimumVersions/                             copies of the minimum versions of bundles
///     Containers/Data/Plugins/<identifier>/<dataVersion>/{Documents,Library/Caches,tmp}
///     Containers/Data/Host/{Documents,Library,tmp}
///     Containers/Shared/AppGroup/<group>/{Documents,Library/Caches}
///     Containers/Catalogs/<name>/{metadata,packages}                 what is known of each catalog on a server, and downloads
///     Containers/Catalogs/not-revoked                                the record that no installed version is revoked
///     Containers/development                                         marks a sandbox for development; missing in any other
///     Containers/Staging/                                            incomplete installs; cleaned when a host starts
///
/// Other users may read the code, and nothing of the data, the registry and the trust store.
public struct Sandbox: Sendable {
    /// The root folder.
    public let root: FilePath
    /// A Boolean value that indicates whether the sandbox is only for trying plugins that are being developed.
    public let isForDevelopment: Bool

    /// Creates a sandbox at a path; folders are created only when something is written.
    ///
    /// A sandbox that was created for development can be used only for development, and no other can.
    public init(root: FilePath, isForDevelopment: Bool = false) {
        self.root = root
        self.isForDevelopment = isForDevelopment
    }

    private var base: FilePath { root.appending("Containers") }

    /// The file that marks a sandbox for development.
    var developmentMark: FilePath { base.appending("development") }

    /// The folder of installed versions.
    public var plugins: FilePath { base.appending("Bundle/Plugins") }
    /// The database of installed bundles.
    public var registry: FilePath { base.appending("Bundle/registry.sqlite") }
    /// The folder of incomplete work.
    public var staging: FilePath { base.appending("Staging") }
    /// The folder of all catalogs on servers.
    public var catalogs: FilePath { base.appending("Catalogs") }
    /// The data folder of the host.
    public var hostData: FilePath { base.appending("Data/Host") }
    /// The file of additionally trusted teams and keys.
    public var trust: FilePath { base.appending("Bundle/trust.json") }
    /// The folder with copies of the minimum versions, for a rebuilt registry.
    var minimumVersions: FilePath { base.appending("Bundle/MinimumVersions") }
    /// The file that a host locks to change the sandbox.
    public var lock: FilePath { base.appending("Bundle/host.lock") }

    /// The folder that records whose code runs for the first time.
    public var crashLogs: FilePath { base.appending("Bundle/CrashLogs") }
    /// The folder of crash reports, which the first crash creates.
    public var crashReports: FilePath { base.appending("Bundle/CrashReports") }

    /// Returns the folder of an installed version.
    ///
    /// - Parameters:
    ///   - identity: an identity from a manifest or the registry, whose identifier is a valid folder name.
    ///   - digest: the SHA-256 of its seal, in hexadecimal.
    public func folder(of identity: BundleIdentity, digest: String) -> FilePath {
        let name = identity.version.description + "-" + String(decoding: digest.utf8.prefix(12), as: UTF8.self)
        return plugins.appending("\(identity.identifier)/\(name)")
    }

    /// Returns the folder of an installed version.
    package func folder(of bundle: PluginBundle) -> FilePath {
        folder(of: bundle.identity, digest: bundle.digest)
    }

    /// Returns the folder of all data of a plugin, which contains a container for each of its data versions.
    public func dataFolder(of identifier: BundleIdentifier) -> FilePath { containers.appending(identifier.text) }

    /// Returns the data container of a version.
    public func container(of bundle: PluginBundle) -> FilePath {
        dataFolder(of: bundle.identifier).appending("\(bundle.dataVersion)")
    }

    /// Returns the folder of an app group.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` for an invalid name, which could be a path to any folder.
    public func group(_ name: String) throws(AtriumError) -> FilePath {
        guard BundleIdentifier.isValid(name) else {
            throw AtriumError(
                .bundleNotInstalled, name, reason: "nameNotIdentifier")
        }
        return groups.appending(name)
    }

    /// Returns the folders that every app group has, outermost first.
    ///
    /// - Throws: as ``group(_:)``.
    package func folders(ofGroup name: String) throws(AtriumError) -> [FilePath] {
        let container = BundleContainer(root: try group(name))
        return [container.root, container.documents, container.caches.parent, container.caches]
    }

    /// The folder of all data containers of plugins.
    package var containers: FilePath { base.appending("Data/Plugins") }
    /// The folder of all app groups.
    package var groups: FilePath { base.appending("Shared/AppGroup") }

    /// The folders that every sandbox has.
    package var folders: [FilePath] {
        [
            plugins, crashLogs, staging, containers, hostData.appending("Documents"),
            hostData.appending("Library"), hostData.appending("tmp"), groups,
        ]
    }

    /// Creates the missing folders and returns them, outermost first; when it throws, it has created none.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable`, also when a link is in the place of a folder, or `inputOutput`.
    package func prepare() throws(AtriumError) -> [FilePath] {
        try markIfNew()
        try requirePurpose()
        return try make(folders)
    }

    /// Takes from other users what an earlier release has let them read.
    ///
    /// A file that its owner has made unwritable is shared on purpose. See Documentation/Decisions/0271-data-is-private-code-is-not.md.
    package func makePrivate() {
        for path in [containers.parent, groups.parent, registry, trust] { FileSystem.makePrivate(path) }
    }

    /// Creates the missing folders of a bundle: for its versions, its first data and its app groups.
    ///
    /// Returns and throws like ``prepare()``.
    package func prepare(for manifest: Manifest) throws(AtriumError) -> [FilePath] {
        let identifier = manifest.identity.identifier
        var folders = [plugins.appending(identifier.text)]
        folders += try DataFolders(of: identifier, in: self).first(manifest.dataVersion)
        for name in manifest.appGroups { folders += try self.folders(ofGroup: name) }
        return try make(folders)
    }

    private func make(_ folders: [FilePath]) throws(AtriumError) -> [FilePath] {
        try requireOwn(folders)
        var made: [FilePath] = []
        for folder in folders {
            do {
                // The first of the folders is one of code, so the folder of all containers is open.
                made += try FileSystem.makeFolders(folder, isPrivate: !folder.string.hasPrefix(plugins.parent.string))
            } catch {
                FileSystem.removeIfEmpty(made)
                throw error
            }
        }
        return made
    }
}

extension Registry {
    /// The suffixes of SQLite's files next to a database.
    package static let companions = ["-journal", "-wal", "-shm"]
}
