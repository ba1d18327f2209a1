public import PluginCore

/// The folder that holds everything a host has installed and everything its plugins keep, laid out as on iOS 8 and later:
/// code and data live apart.
///
///     Containers/Bundle/Plugins/<identifier>/<version>-<digest12>/   immutable once installed
///     Containers/Bundle/registry.sqlite                              what is installed, active, previous; routes; history
///     Containers/Data/Plugins/<identifier>/{Documents,Library/Caches,tmp}
///     Containers/Data/Host/{Documents,Library,tmp}
///     Containers/Shared/AppGroup/<group>/
///     Containers/Staging/                                            half-done installs; swept at start
public struct Sandbox: Sendable {
    /// The sandbox's root.
    public let root: FilePath

    /// The sandbox at `root`; nothing is made before something is written.
    public init(root: FilePath) {
        self.root = root
    }

    private var containers: FilePath { root.appending("Containers") }

    /// Where versions lie.
    public var plugins: FilePath { containers.appending("Bundle/Plugins") }
    /// The database that says what is active.
    public var registry: FilePath { containers.appending("Bundle/registry.sqlite") }
    /// Where half-done work lies.
    public var staging: FilePath { containers.appending("Staging") }
    /// The host's own folder.
    public var hostData: FilePath { containers.appending("Data/Host") }
    /// What a host locks.
    public var lock: FilePath { containers.appending("Bundle/host.lock") }

    /// The folder of one installed version.
    public func folder(of identity: BundleIdentity, digest: String) -> FilePath {
        plugins.appending(identity.identifier).appending("\(identity.version)-\(digest.prefix(12))")
    }

    /// The data container of a plugin.
    public func container(of identifier: String) -> FilePath {
        containers.appending("Data/Plugins").appending(identifier)
    }

    /// The folder of an app group.
    public func group(_ name: String) -> FilePath {
        containers.appending("Shared/AppGroup").appending(name)
    }

    /// Makes the folders that are not there; returns them, outermost first.
    func prepare() throws(AtriumError) -> [FilePath] {
        var made: [FilePath] = []
        for folder in [
            plugins, staging, containers.appending("Data/Plugins"), hostData.appending("Documents"),
            hostData.appending("Library"), hostData.appending("tmp"), containers.appending("Shared/AppGroup"),
        ] {
            made += try FileSystem.makeFolders(folder)
        }
        return made
    }

    /// Makes the container of a bundle and the folders of its app groups.
    func prepareContainer(of manifest: Manifest) throws(AtriumError) {
        let container = BundleContainer(root: container(of: manifest.identity.identifier))
        for folder in [container.documents, container.caches, container.temporary] {
            try FileSystem.makeFolders(folder)
        }
        for name in manifest.appGroups { try FileSystem.makeFolders(group(name)) }
    }
}
