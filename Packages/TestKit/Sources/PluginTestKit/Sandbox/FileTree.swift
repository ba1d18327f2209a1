import BundleFormat
import FoundationEssentials
import Glibc
import HostSystem
public import PluginCore
import PluginRuntime

/// A snapshot of everything below a path: names, kinds, permissions, links and content, but not times.
///
/// ```swift
/// let before = try FileTree(of: folder)
/// // ...
/// #expect(before.changes(to: try FileTree(of: folder)) == ["+ a/new.txt", "~ a/old.txt: content"])
/// ```
public struct FileTree: Hashable, Sendable, CustomStringConvertible {
    /// A node of the tree.
    public enum Node: Hashable, Sendable {
        /// A folder with its permission bits.
        case folder(mode: UInt16)
        /// A file with its permission bits, its size in bytes, and the SHA-256 digest of its content.
        case file(mode: UInt16, size: Int, digest: String)
        /// A symbolic link with its target. Links are not followed.
        case link(to: String)
        /// A pipe, socket or device with its permission bits.
        case special(mode: UInt16)
    }

    /// The nodes by relative path. The root has the path of a single dot. Without a root, there are no nodes.
    public let nodes: [String: Node]

    /// Reads everything below a root.
    ///
    /// - Throws: ``FixtureError`` for a node that cannot be read.
    public init(of root: FilePath) throws {
        var nodes: [String: Node] = [:]
        try Self.visit(root, "", &nodes)
        self.nodes = nodes
    }

    /// All paths, sorted.
    public var paths: [String] { nodes.keys.sorted() }

    /// The paths of the files, sorted.
    public var files: [String] {
        nodes.filter { if case .file = $0.value { true } else { false } }.keys.sorted()
    }

    /// A Boolean value that indicates whether the root did not exist.
    public var isEmpty: Bool { nodes.isEmpty }

    /// Returns the differences to a later tree, one line each, sorted by path.
    ///
    /// `+` marks an added path, `-` a removed one, and `~` a changed one.
    public func changes(to later: FileTree) -> [String] {
        Set(nodes.keys).union(later.nodes.keys).sorted().compactMap { path in
            switch (nodes[path], later.nodes[path]) {
            case (nil, _?): "+ \(path)"
            case (_?, nil): "- \(path)"
            case (let before?, let after?) where before != after: "~ \(path): \(before.change(to: after))"
            default: nil
            }
        }
    }

    /// One line per node, sorted by path.
    public var description: String {
        paths.map { path in "\(path)  \(nodes[path].map(\.description) ?? "")" }.joined(separator: "\n")
    }

    private static func visit(_ path: FilePath, _ name: String, _ nodes: inout [String: Node]) throws {
        var status = stat()
        guard lstat(path.string, &status) == 0 else {
            // Only the root may be missing, because all other names have just been listed.
            if name.isEmpty && errno == ENOENT { return }
            throw FixtureError("\(path) cannot be looked at: \(FileSystem.message())")
        }
        let mode = UInt16(status.st_mode & 0o7777)
        let key = name.isEmpty ? "." : name
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            nodes[key] = .folder(mode: mode)
            for child in try FileManager.default.contentsOfDirectory(atPath: path.string) {
                try visit(path.appending(child), name.isEmpty ? child : "\(name)/\(child)", &nodes)
            }
        case S_IFREG:
            // The function for packages computes the digest of any file.
            let digest = try PackageFile(path: path).digest()
            nodes[key] = .file(mode: mode, size: Int(status.st_size), digest: digest)
        case S_IFLNK:
            nodes[key] = .link(to: try FileManager.default.destinationOfSymbolicLink(atPath: path.string))
        default: nodes[key] = .special(mode: mode)
        }
    }
}

extension FileTree.Node: CustomStringConvertible {
    /// A short description of the node.
    public var description: String {
        switch self {
        case .folder(let mode): "folder \(String(mode, radix: 8))"
        case .file(let mode, let size, let digest):
            "file \(String(mode, radix: 8)), \(size) bytes, \(digest.prefix(12))"
        case .link(let target): "link to \(target)"
        case .special(let mode): "special file \(String(mode, radix: 8))"
        }
    }

    fileprivate func change(to later: FileTree.Node) -> String {
        switch (self, later) {
        case (.file(let mode, _, let digest), .file(let newMode, _, let newDigest)) where digest != newDigest:
            mode == newMode ? "content" : "content, \(String(mode, radix: 8)) to \(String(newMode, radix: 8))"
        default: "\(self) to \(later)"
        }
    }
}
