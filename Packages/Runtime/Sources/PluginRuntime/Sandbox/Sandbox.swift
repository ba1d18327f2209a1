public import PluginCore

/// The folder that holds everything a host has installed and everything its plugins keep, laid out as on iOS 8 and later:
/// code and data live apart.
///
///     Containers/Bundle/Plugins/<identifier>/<version>-<digest12>/   immutable once installed
///     Containers/Bundle/registry.sqlite                              what is installed, active, previous; routes; history
///     Containers/Bundle/trust.json                                   teams and keys that came to those of the host
///     Containers/Bundle/Probation/                                   whose code runs for the first time, or ran when a host died
///     Containers/Data/Plugins/<identifier>/{Documents,Library/Caches,tmp}
///     Containers/Data/Host/{Documents,Library,tmp}
///     Containers/Shared/AppGroup/<group>/
///     Containers/Staging/                                            half-done installs; swept when a host starts
public struct Sandbox: Sendable {
    /// The sandbox's root.
    public let root: FilePath

    /// The sandbox at `root`; nothing is made before something is written.
    public init(root: FilePath) {
        self.root = root
    }

    private var base: FilePath { root.appending("Containers") }

    /// Where versions lie.
    public var plugins: FilePath { base.appending("Bundle/Plugins") }
    /// The database that says what is active.
    public var registry: FilePath { base.appending("Bundle/registry.sqlite") }
    /// Where half-done work lies.
    public var staging: FilePath { base.appending("Staging") }
    /// The host's own folder.
    public var hostData: FilePath { base.appending("Data/Host") }
    /// Whom its user trusts.
    public var trust: FilePath { base.appending("Bundle/trust.json") }
    /// The floors once more, for a registry that is made anew.
    var floors: FilePath { base.appending("Bundle/Floors") }
    /// What a host locks.
    public var lock: FilePath { base.appending("Bundle/host.lock") }

    /// Where it is written down whose code runs for the first time.
    public var probation: FilePath { base.appending("Bundle/Probation") }

    /// The folder of one installed version.
    ///
    /// - Parameters:
    ///   - identity: out of a manifest or the registry, which have no identifiers but such as can be folders' names.
    ///   - digest: the SHA-256 of its seal, in hexadecimal.
    public func folder(of identity: BundleIdentity, digest: String) -> FilePath {
        let name = identity.version.description + "-" + String(decoding: digest.utf8.prefix(12), as: UTF8.self)
        return plugins.appending(identity.identifier + "/" + name)
    }

    /// The folder of an installed version.
    func folder(of bundle: PluginBundle) -> FilePath {
        folder(of: bundle.identity, digest: bundle.digest)
    }

    /// The data container of a plugin.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` when that is no identifier: it could be the way to any folder.
    public func container(of identifier: String) throws(AtriumError) -> FilePath {
        try Self.place(of: identifier, in: containers)
    }

    /// The folder of an app group.
    ///
    /// - Throws: as ``container(of:)``.
    public func group(_ name: String) throws(AtriumError) -> FilePath {
        try Self.place(of: name, in: groups)
    }

    /// The file that keeps a bundle's floor.
    func floor(of identifier: String) throws(AtriumError) -> FilePath {
        try Self.place(of: identifier, in: floors)
    }

    /// Where what has a name lies. No name that comes from outside becomes a path but here.
    private static func place(of name: String, in folder: FilePath) throws(AtriumError) -> FilePath {
        guard ManifestRules.isIdentifier(name) else {
            throw AtriumError(
                .bundleNotInstalled, name, detail: "that is no reverse-domain name such as com.example.app.shop")
        }
        return folder.appending(name)
    }

    /// Where the data containers of plugins lie.
    var containers: FilePath { base.appending("Data/Plugins") }
    /// Where app groups lie.
    var groups: FilePath { base.appending("Shared/AppGroup") }

    /// Its folders, whatever is installed.
    var folders: [FilePath] {
        [
            plugins, probation, staging, containers, hostData.appending("Documents"),
            hostData.appending("Library"), hostData.appending("tmp"), groups,
        ]
    }

    /// What ``prepare()`` would make now, outer ones before inner ones; a folder may be named more than once.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be known.
    func missingFolders() throws(AtriumError) -> [FilePath] {
        var missing: [FilePath] = []
        for folder in folders { missing += try FileSystem.missingFolders(folder) }
        return missing
    }

    /// Makes the folders that are not there; returns them, outer ones before inner ones. When it throws, it made none.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable`, also where a link lies in a folder's place, or `inputOutput`.
    func prepare() throws(AtriumError) -> [FilePath] {
        try make(folders)
    }

    /// Makes what is not there of the place for a bundle's versions, its container, and the folders of its app groups;
    /// as ``prepare()``.
    func prepare(for manifest: Manifest) throws(AtriumError) -> [FilePath] {
        let identifier = manifest.identity.identifier
        let container = BundleContainer(root: try container(of: identifier))
        var folders = [plugins.appending(identifier), container.documents, container.caches, container.temporary]
        for name in manifest.appGroups { folders.append(try group(name)) }
        return try make(folders)
    }

    private func make(_ folders: [FilePath]) throws(AtriumError) -> [FilePath] {
        try requireOwn(folders)
        var made: [FilePath] = []
        for folder in folders {
            do throws(AtriumError) {
                made += try FileSystem.makeFolders(folder)
            } catch {
                FileSystem.removeIfEmpty(made)
                throw error
            }
        }
        return made
    }
}
