public import PluginCore
public import PluginRuntime

/// All of a sandbox at one moment: every file, and what the registry says.
public struct SandboxState: Sendable {
    /// Where it is.
    public let sandbox: Sandbox
    /// Every file and folder, relative to the sandbox's root.
    public let tree: FileTree
    /// What the registry says, or why it cannot be read.
    public let registry: Result<RegistryState, AtriumError>

    /// Looks at a sandbox, and changes nothing in it.
    ///
    /// - Parameter scratch: a folder for a copy of the registry.
    /// - Throws: what the file system throws.
    public init(of sandbox: Sandbox, copyingTo scratch: FilePath) throws {
        self.sandbox = sandbox
        tree = try FileTree(of: sandbox.root)
        do {
            registry = .success(try RegistryState(of: sandbox, copyingTo: scratch))
        } catch let error as AtriumError {
            registry = .failure(error)
        }
    }

    /// What is installed; nothing when the registry cannot be read.
    public var installed: [String: RegistryState.Installed] { (try? registry.get())?.installed ?? [:] }

    /// The lowest versions that may be installed; nothing when the registry cannot be read.
    public var floors: [String: SemanticVersion] { (try? registry.get())?.floors ?? [:] }

    /// What lies below a folder, by the path relative to it; the folder itself is `.`.
    ///
    /// - Parameter folder: relative to the sandbox's root.
    public func nodes(below folder: String) -> [String: FileTree.Node] {
        var nodes: [String: FileTree.Node] = [:]
        nodes["."] = tree.nodes[folder]
        for (path, node) in tree.nodes where path.hasPrefix(folder + "/") {
            nodes[String(path.dropFirst(folder.utf8.count + 1))] = node
        }
        return nodes
    }

    /// The folder of a version, relative to the sandbox's root.
    public func folder(of version: RegistryState.Version) -> String {
        let path = sandbox.folder(of: version.identity, digest: version.digest).string
        return String(path.dropFirst(sandbox.root.string.utf8.count + 1))
    }

    /// The names of the version folders that lie on the disk, `<identifier>/<version>-<digest12>`.
    public var versionFolders: Set<String> {
        Set(nodes(below: "Containers/Bundle/Plugins").keys.filter { $0.split(separator: "/").count == 2 })
    }
}
