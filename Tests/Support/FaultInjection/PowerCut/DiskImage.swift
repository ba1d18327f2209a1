import PluginTestKit
import FoundationEssentials
import PluginCore

import Glibc

/// A file system in memory, which represents the content of a disk.
struct DiskImage {
    /// The root folder.
    static let root: DiskNode.ID = 0

    private(set) var nodes: [DiskNode.ID: DiskNode] = [root: DiskNode(content: .folder([:]), mode: 0o755)]

    /// The number of the next new node.
    private(set) var nextID = 1

    init() {}

    /// Reads a file or folder into the root folder. If it doesn't exist, the image is empty.
    init(of path: FilePath) throws {
        var known: [UInt64: DiskNode.ID] = [:]
        if let id = try read(path, &known) { enter(id, Self.root, path.lastComponent) }
    }

    private mutating func read(_ path: FilePath, _ known: inout [UInt64: DiskNode.ID]) throws -> DiskNode.ID? {
        var status = stat()
        guard lstat(path.string, &status) == 0 else { return nil }
        // A file may have several names.
        if let id = known[UInt64(status.st_ino)] { return id }
        let content: DiskNode.Content
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            var names: [String: DiskNode.ID] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: path.string) {
                names[name] = try read(path.appending(name), &known)
            }
            content = .folder(names)
        case S_IFREG: content = .file(Array(try Data(contentsOf: URL(filePath: path.string))))
        case S_IFLNK:
            content = .link(to: try FileManager.default.destinationOfSymbolicLink(atPath: path.string))
        default: throw FixtureError("\(path) is neither file nor folder")
        }
        let id = add(content, mode: UInt16(status.st_mode & 0o7777))
        known[UInt64(status.st_ino)] = id
        return id
    }

    /// Adds a node that does not have a name yet.
    mutating func add(_ content: DiskNode.Content, mode: UInt16) -> DiskNode.ID {
        defer { nextID += 1 }
        nodes[nextID] = DiskNode(content: content, mode: mode)
        return nextID
    }

    /// Returns the node with a name in a folder.
    func child(_ name: String, of folder: DiskNode.ID) -> DiskNode.ID? {
        if case .folder(let names)? = nodes[folder]?.content { names[name] } else { nil }
    }

    /// Applies an operation. If an operation on which it depends was lost, it has only the effect that is still possible.
    mutating func apply(_ operation: DiskOperation) {
        switch operation {
        case .create(let node, in: let folder, as: let name), .link(let node, in: let folder, as: let name):
            enter(node, folder, name)
        case .unlink(from: let folder, let name): leave(folder, name)
        case .rename(let node, from: let source, let old, to: let target, let new):
            if child(old, of: source) == node { leave(source, old) }
            if case .folder? = nodes[node]?.content { leaveEverywhere(node) }
            enter(node, target, new)
        case .exchange(let one, in: let folder, let name, with: let other, of: let place, let otherName):
            enter(other, folder, name)
            enter(one, place, otherName)
        case .write(let file, at: let offset, let bytes):
            edit(file) { content in
                if content.count < offset { content += Array(repeating: 0, count: offset - content.count) }
                let end = min(content.count, offset + bytes.count)
                content.replaceSubrange(offset..<end, with: bytes)
            }
        case .truncate(let file, to: let size):
            edit(file) { content in
                if content.count > size { content.removeLast(content.count - size) }
                if content.count < size { content += Array(repeating: 0, count: size - content.count) }
            }
        case .setMode(let node, let mode): nodes[node]?.mode = mode
        case .sync, .syncAll: break
        }
    }

    /// Adds new nodes without names.
    mutating func adopt(_ fresh: [DiskNode.ID: DiskNode]) {
        nodes.merge(fresh) { old, _ in old }
    }

    /// Writes the content of the root folder into an existing folder.
    func write(to folder: FilePath) throws {
        var written: [DiskNode.ID: FilePath] = [:]
        try writeChildren(of: Self.root, to: folder, &written)
    }

    private func writeChildren(
        of folder: DiskNode.ID, to path: FilePath, _ written: inout [DiskNode.ID: FilePath]
    ) throws {
        guard case .folder(let names)? = nodes[folder]?.content else { return }
        let files = FileManager.default
        for (name, id) in names {
            guard let node = nodes[id] else { continue }
            let place = path.appending(name)
            switch node.content {
            case .folder:
                try files.createDirectory(atPath: place.string, withIntermediateDirectories: false)
                try writeChildren(of: id, to: place, &written)
            case .file(let bytes):
                if let first = written[id] {
                    try files.linkItem(atPath: first.string, toPath: place.string)
                    continue
                }
                written[id] = place
                try Data(bytes).write(to: URL(filePath: place.string))
            case .link(let target):
                try files.createSymbolicLink(atPath: place.string, withDestinationPath: target)
                continue
            }
            chmod(place.string, mode_t(node.mode))
        }
    }

    private mutating func enter(_ node: DiskNode.ID, _ folder: DiskNode.ID, _ name: String) {
        guard case .folder(var names)? = nodes[folder]?.content else { return }
        names[name] = node
        nodes[folder]?.content = .folder(names)
    }

    private mutating func leave(_ folder: DiskNode.ID, _ name: String) {
        guard case .folder(var names)? = nodes[folder]?.content else { return }
        names[name] = nil
        nodes[folder]?.content = .folder(names)
    }

    /// Removes other names of a folder, which can have only one, even if an earlier move was lost.
    private mutating func leaveEverywhere(_ node: DiskNode.ID) {
        for (id, folder) in nodes {
            guard case .folder(let names) = folder.content, names.values.contains(node) else { continue }
            nodes[id]?.content = .folder(names.filter { $0.value != node })
        }
    }

    private mutating func edit(_ file: DiskNode.ID, _ change: (inout [UInt8]) -> Void) {
        guard case .file(var bytes)? = nodes[file]?.content else { return }
        nodes[file]?.content = .folder([:])  // With a single owner, the bytes are changed in place.
        change(&bytes)
        nodes[file]?.content = .file(bytes)
    }
}
