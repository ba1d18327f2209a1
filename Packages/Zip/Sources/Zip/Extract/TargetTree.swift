import Glibc
import HostSystem

/// A new folder tree on disk.
///
/// Everything is created relative to an open folder, by names without slashes and without following links. So nothing can be created
/// outside, even if another process changes the tree.
struct TargetTree {
    private struct Level {
        let component: EntryPath.Component
        let folder: FileDescriptor
    }

    private struct Made {
        let parent: [EntryPath.Component]
        let name: EntryPath.Component
        let isFolder: Bool
    }

    private let parent: FileDescriptor
    private let name: String
    private let root: FileDescriptor
    private let durability: ZipDurability
    /// The open folders from the root to that of the latest entry.
    private var levels: [Level] = []
    private var made: [Made] = []

    /// The maximum number of items that are synced individually.
    ///
    /// For more items, it is faster to sync the whole file system once, because each sync flushes the disk's cache.
    private static let fewItems = 24

    init(creating path: String, durability: ZipDurability) throws(ZipError) {
        let target = try DiskPath(path)
        parent = try FileDescriptor(folder: target.folder)
        name = target.name
        self.durability = durability
        do {
            try parent.makeFolder(name)
        } catch {
            throw error.errno == EEXIST ? ZipError(.targetExists, path: path) : error
        }
        do {
            root = try parent.openFolder(name)
            try root.setMode(0o755)
        } catch {
            try? parent.removeFolder(target.name)
            throw error
        }
    }

    mutating func makeFolder(_ path: EntryPath) throws(ZipError) {
        _ = try enter(path.components, creating: true)
    }

    mutating func createFile(_ path: EntryPath) throws(ZipError) -> FileDescriptor {
        let (parents, name) = try Self.split(path)
        let file = try enter(parents, creating: true).createFile(name.text)
        made.append(Made(parent: parents, name: name, isFolder: false))
        return file
    }

    /// Links an open file into the tree and closes it. Returns false if that is not possible.
    mutating func link(_ file: Int32, _ path: EntryPath) throws(ZipError) -> Bool {
        defer { close(file) }
        let (parents, name) = try Self.split(path)
        guard try enter(parents, creating: true).link(file, as: name.text) else { return false }
        made.append(Made(parent: parents, name: name, isFolder: false))
        return true
    }

    private static func split(_ path: EntryPath) throws(ZipError) -> ([EntryPath.Component], EntryPath.Component) {
        guard let name = path.components.last else { throw ZipError(.unsafeName, "an empty name") }
        return (Array(path.components.dropLast()), name)
    }

    func finish(_ file: FileDescriptor, mode: UInt16) throws(ZipError) {
        try file.setMode(mode)
        if durability == .synced { file.startWriting() }
    }

    /// Closes all files and folders, after syncing them if required.
    mutating func finish() throws(ZipError) {
        if durability == .synced {
            let isFew = made.count <= Self.fewItems
            let isDone = try isFew ? false : root.syncFileSystem()
            if !isDone { try syncEach() }
            try parent.sync()
        }
        levels = []
    }

    /// Syncs each item. It is called only at the end, so a journaling file system writes everything with the first sync.
    private mutating func syncEach() throws(ZipError) {
        for item in made.reversed() {
            let folder = try enter(item.parent, creating: false)
            if item.isFolder {
                try folder.openFolder(item.name.text).sync()
            } else {
                try folder.openFile(item.name.text).sync()
            }
        }
        try root.sync()
    }

    /// Removes everything that was created, in reverse order, and nothing else. It continues after errors.
    mutating func removeAll() {
        for item in made.reversed() {
            guard let folder = try? enter(item.parent, creating: false) else { continue }
            if item.isFolder {
                try? folder.removeFolder(item.name.text)
            } else {
                _ = try? folder.remove(item.name.text)
            }
        }
        levels = []
        try? parent.removeFolder(name)
    }

    /// Opens a folder, reusing the open folders that it shares with the previous one.
    private mutating func enter(_ path: [EntryPath.Component], creating: Bool) throws(ZipError) -> FileDescriptor {
        let shared = zip(levels, path).prefix { $0.component == $1 }.count
        levels.removeLast(levels.count - shared)
        for depth in shared..<path.count {
            let parent = levels.last?.folder ?? root
            let component = path[depth]
            if creating {
                // Entries arrive in path order, so a folder that is not open has not been created yet.
                try parent.makeFolder(component.text)
                made.append(Made(parent: Array(path[..<depth]), name: component, isFolder: true))
            }
            let folder = try parent.openFolder(component.text)
            levels.append(Level(component: component, folder: folder))
            if creating { try folder.setMode(0o755) }
        }
        return levels.last?.folder ?? root
    }
}
