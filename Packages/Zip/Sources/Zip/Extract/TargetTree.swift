/// A new folder tree on disk. Everything is made relative to an open folder, with names that hold no slash and
/// without following links, so nothing can land outside, whoever else is at work in the tree.
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
    /// The folders from the root to where the last entry went, open.
    private var levels: [Level] = []
    private var made: [Made] = []

    /// As many files and folders are waited for by themselves. For more, it is cheaper to wait once for the whole file system,
    /// whatever others write to it: each wait makes the disk empty its cache.
    private static let fewItems = 24

    init(creating path: String, durability: ZipDurability) throws(ZipError) {
        let target = try DiskPath(path)
        parent = try FileDescriptor.openFolder(target.folder)
        name = target.name
        self.durability = durability
        do throws(ZipError) {
            try parent.makeFolder(name)
        } catch {
            throw error.isFileExists ? ZipError(.targetExists, path: path) : error
        }
        do throws(ZipError) {
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
        guard let name = path.components.last else {
            throw ZipError(.unsafeName, detail: "an empty name")
        }
        let parents = Array(path.components.dropLast())
        let file = try enter(parents, creating: true).createFile(name.text)
        made.append(Made(parent: parents, name: name, isFolder: false))
        return file
    }

    /// Gives an open file one more name here, and closes it; false when it cannot have one.
    mutating func link(_ file: Int32, _ path: EntryPath) throws(ZipError) -> Bool {
        defer { FileDescriptor.giveUp(file) }
        guard let name = path.components.last else {
            throw ZipError(.unsafeName, detail: "an empty name")
        }
        let parents = Array(path.components.dropLast())
        guard try enter(parents, creating: true).link(file, as: name.text) else { return false }
        made.append(Made(parent: parents, name: name, isFolder: false))
        return true
    }

    func finish(_ file: FileDescriptor, mode: UInt16) throws(ZipError) {
        try file.setMode(mode)
        if durability == .synced { file.startWriting() }
    }

    /// Closes all files and folders, waiting for the disk if asked to.
    mutating func finish() throws(ZipError) {
        if durability == .synced {
            let isFew = made.count <= Self.fewItems
            let isDone = try isFew ? false : root.syncFileSystem()
            if !isDone { try syncEach() }
            try parent.sync()
        }
        levels = []
    }

    /// Only at the end, so that a journalling file system writes all there is with the first that is waited for.
    private mutating func syncEach() throws(ZipError) {
        for item in made.reversed() {
            let folder = try enter(item.parent, creating: false)
            if item.isFolder {
                try folder.openFolder(item.name.text).sync()
            } else {
                try folder.openForReading(item.name.text).sync()
            }
        }
        try root.sync()
    }

    /// Takes back all that was made, last first, and nothing else. Goes on where something cannot be removed.
    mutating func removeAll() {
        for item in made.reversed() {
            guard let folder = try? enter(item.parent, creating: false) else { continue }
            if item.isFolder {
                try? folder.removeFolder(item.name.text)
            } else {
                try? folder.removeFile(item.name.text)
            }
        }
        levels = []
        try? parent.removeFolder(name)
    }

    /// Opens the folder, reusing what it shares with the folder entered before.
    private mutating func enter(_ path: [EntryPath.Component], creating: Bool) throws(ZipError) -> FileDescriptor {
        let shared = zip(levels, path).prefix { $0.component == $1 }.count
        levels.removeLast(levels.count - shared)
        for depth in shared..<path.count {
            let parent = levels.last?.folder ?? root
            let component = path[depth]
            if creating {
                // Entries come in path order, so a folder that is not open has not been made.
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
