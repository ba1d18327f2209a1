import Doctor
package import PluginTestKit
package import Registry
import FoundationEssentials
package import PluginCore
import PluginRuntime
import TUF
import TUFMetadata

/// The complete state of a sandbox: all files and the content of the registry.
package struct SandboxState: Sendable {
    /// The sandbox.
    package let sandbox: Sandbox
    /// All files and folders, relative to the sandbox's root.
    package let tree: FileTree
    /// The content of the registry, or the reason why it cannot be read.
    package let registry: Result<RegistryState, AtriumError>
    /// The versions of the trusted metadata of published catalogs, by folder and role; none of a catalog without a complete state.
    package let catalogs: [String: [String: Int]]

    /// Reads a sandbox without changing it.
    ///
    /// - Parameters:
    ///   - sandbox: The sandbox.
    ///   - scratch: A folder for a copy of the registry.
    /// - Throws: The errors of the file system.
    package init(of sandbox: Sandbox, copyingTo scratch: FilePath) throws {
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
            let nowhere = FolderSource("/nowhere")
            let client = TUFClient(folder: metadata.string, metadata: nowhere, targets: nowhere)
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
    package var installed: [String: RegistryState.Installed] { (try? registry.get())?.installed ?? [:] }

    /// The minimum versions. Empty if the registry cannot be read.
    package var minimumVersions: [String: SemanticVersion] { (try? registry.get())?.minimumVersions ?? [:] }

    /// Returns everything below a folder by relative path. The folder itself has the path of a single dot.
    ///
    /// - Parameter folder: The folder, relative to the sandbox's root.
    package func nodes(below folder: String) -> [String: FileTree.Node] {
        var nodes: [String: FileTree.Node] = [:]
        nodes["."] = tree.nodes[folder]
        for (path, node) in tree.nodes where path.hasPrefix(folder + "/") {
            nodes[String(path.dropFirst(folder.utf8.count + 1))] = node
        }
        return nodes
    }

    /// Returns the folder of a version, relative to the sandbox's root.
    package func folder(of version: RegistryState.Version) -> String {
        let path = sandbox.folder(of: version.identity, digest: version.digest).string
        return String(path.dropFirst(sandbox.root.string.utf8.count + 1))
    }

    /// The names of the version folders on the disk, each with the identifier of its bundle.
    package var versionFolders: Set<String> {
        Set(nodes(below: "Containers/Bundle/Plugins").keys.filter { $0.split(separator: "/").count == 2 })
    }
}

/// The complete content of a registry.
package struct RegistryState: Sendable, Hashable {
    /// A version, identified by the name of its folder.
    package struct Version: Sendable, Hashable, CustomStringConvertible {
        /// The identifier and the version.
        package let identity: BundleIdentity
        /// The digest in the name of the folder.
        package let digest: String

        /// The identity with the start of the digest.
        package var description: String { "\(identity) (\(digest.prefix(12)))" }
    }

    /// The active version of a bundle and its rollback target.
    package struct Installed: Sendable, Hashable, CustomStringConvertible {
        /// The active version.
        package let active: Version
        /// The previous version, which is the rollback target.
        package let previous: Version?

        /// Both versions as text.
        package var description: String { "\(active)" + (previous.map { ", before \($0)" } ?? "") }
    }

    /// The installed bundles by identifier. Empty for a missing registry.
    package let installed: [String: Installed]
    /// All versions in the registry.
    package let named: [Version]
    /// The minimum versions by identifier.
    package let minimumVersions: [String: SemanticVersion]
    /// The minimum versions in the file next to the registry, which survives the loss of the registry.
    package let mirroredMinimumVersions: [String: SemanticVersion]
    /// The problems that the integrity check finds.
    package let problems: [String]

    /// Reads a copy of a sandbox's registry, so that the files of a crashed host remain unchanged for the next one.
    ///
    /// - Parameters:
    ///   - sandbox: The sandbox.
    ///   - scratch: A folder for the copy.
    /// - Throws: ``AtriumError`` if the registry cannot be read, and the errors of the file system.
    package init(of sandbox: Sandbox, copyingTo scratch: FilePath) throws {
        let copy = Sandbox(root: scratch)
        let files = FileManager.default
        if files.fileExists(atPath: scratch.string) { try files.removeItem(atPath: scratch.string) }
        try files.createDirectory(atPath: copy.registry.parent.string, withIntermediateDirectories: true)
        for ending in ["", "-journal", "-wal"] where files.fileExists(atPath: sandbox.registry.string + ending) {
            try files.copyItem(atPath: sandbox.registry.string + ending, toPath: copy.registry.string + ending)
        }
        let registry = Registry(copy)
        problems = try registry.damage().map(\.description)
        named = try registry.versions.all().map(Version.init)
        minimumVersions = Dictionary(
            uniqueKeysWithValues: try registry.notes.all().compactMapValues(\.minimumVersion).map {
                ($0.key.text, $0.value)
            }
        )
        let folder = sandbox.registry.parent.appending("MinimumVersions")
        var mirrored: [String: SemanticVersion] = [:]
        for name in (try? files.contentsOfDirectory(atPath: folder.string)) ?? [] {
            guard let data = files.contents(atPath: folder.appending(name).string) else { continue }
            mirrored[name] = SemanticVersion(String(decoding: data.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
        }
        mirroredMinimumVersions = mirrored
        installed = Dictionary(
            uniqueKeysWithValues: try registry.active.all().map { bundle in
                (
                    bundle.active.identity.identifier.text,
                    Installed(active: Version(bundle.active), previous: bundle.previous.map(Version.init))
                )
            })
    }
}

extension RegistryState.Version {
    init(_ bundle: PluginBundle) {
        self.init(identity: bundle.identity, digest: bundle.digest)
    }
}
