public import Registry
internal import FoundationEssentials
public import PluginCore
import PluginRuntime
import TUF
import TUFMetadata

/// The complete state of a sandbox: all files and the content of the registry.
public struct SandboxState: Sendable {
    /// The sandbox.
    public let sandbox: Sandbox
    /// All files and folders, relative to the sandbox's root.
    public let tree: FileTree
    /// The content of the registry, or the reason why it cannot be read.
    public let registry: Result<RegistryState, AtriumError>
    /// The versions of the trusted metadata of published catalogs, by folder and role; none of a catalog without a complete state.
    public let catalogs: [String: [String: Int]]

    /// Reads a sandbox without changing it.
    ///
    /// - Parameters:
    ///   - sandbox: The sandbox.
    ///   - scratch: A folder for a copy of the registry.
    /// - Throws: The errors of the file system.
    public init(of sandbox: Sandbox, copyingTo scratch: FilePath) throws {
        self.sandbox = sandbox
        tree = try FileTree(of: sandbox.root)
        catalogs = Self.catalogs(in: sandbox.catalogs)
        do {
            registry = .success(try RegistryState(of: sandbox, copyingTo: scratch))
        } catch let error as AtriumError {
            registry = .failure(error)
        }
    }

    private static func catalogs(in folder: FilePath) -> [String: [String: Int]] {
        var catalogs: [String: [String: Int]] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? [] {
            let metadata = folder.appending(name).appending("metadata")
            guard FileManager.default.fileExists(atPath: metadata.appending("root.json").string) else { continue }
            let client = TUFClient(folder: metadata.string, metadata: OfflineSource(), targets: OfflineSource())
            let trusted = try? client.trusted()
            catalogs[name] =
                trusted.map {
                    [
                        "root": $0.root.content.version, "timestamp": $0.timestamp.content.version,
                        "snapshot": $0.snapshot.content.version, "targets": $0.targets.content.version,
                    ]
                } ?? [:]
        }
        return catalogs
    }

    /// The installed bundles. Empty if the registry cannot be read.
    public var installed: [String: RegistryState.Installed] { (try? registry.get())?.installed ?? [:] }

    /// The minimum versions. Empty if the registry cannot be read.
    public var minimumVersions: [String: SemanticVersion] { (try? registry.get())?.minimumVersions ?? [:] }

    /// Returns everything below a folder by relative path. The folder itself has the path of a single dot.
    ///
    /// - Parameter folder: The folder, relative to the sandbox's root.
    public func nodes(below folder: String) -> [String: FileTree.Node] {
        var nodes: [String: FileTree.Node] = [:]
        nodes["."] = tree.nodes[folder]
        for (path, node) in tree.nodes where path.hasPrefix(folder + "/") {
            nodes[String(path.dropFirst(folder.utf8.count + 1))] = node
        }
        return nodes
    }

    /// Returns the folder of a version, relative to the sandbox's root.
    public func folder(of version: RegistryState.Version) -> String {
        let path = sandbox.folder(of: version.identity, digest: version.digest).string
        return String(path.dropFirst(sandbox.root.string.utf8.count + 1))
    }

    /// The names of the version folders on the disk, each with the identifier of its bundle.
    public var versionFolders: Set<String> {
        Set(nodes(below: "Containers/Bundle/Plugins").keys.filter { $0.split(separator: "/").count == 2 })
    }
}
