import Glibc
package import PluginCore

/// Removes a file or a folder with all of its contents.
///
/// It walks the tree through open folders and raw entry names. A link that is swapped in meanwhile therefore can't lead it
/// elsewhere, a tree may be deeper than the longest path, and only a few descriptors are open at any depth.
struct TreeRemoval {
    /// A folder between the root of the removal and the current folder.
    private struct Level {
        let name: EntryName
        let identity: stat
        /// The subfolders that are still to be removed.
        var folders: [EntryName]
    }

    /// The total size of the removed files, in bytes.
    private(set) var freed: Int64 = 0
    private let path: FilePath
    private let keepsFiles: Bool
    private var levels: [Level] = []

    /// Creates a removal.
    ///
    /// - Parameters:
    ///   - path: the path for error messages.
    ///   - keepsFiles: whether only folders are removed, and those that contain anything else are kept.
    init(_ path: FilePath, keepingFiles keepsFiles: Bool = false) {
        self.path = path
        self.keepsFiles = keepsFiles
    }

    /// Removes an entry of an open folder, or a path relative to the current folder; does nothing when it doesn't exist.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`; items removed before the error stay removed.
    mutating func remove(_ name: EntryName, in folder: Int32) throws(AtriumError) {
        if try removeEntry(name, in: folder) { return }
        let opened = try OpenFolder.open(
            name, in: folder, at: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, except: [ENOENT])
        guard var here = opened else { return }
        try enter(here, name)
        while var level = levels.popLast() {
            if let next = level.folders.popLast() {
                levels.append(level)
                guard let inner = try here.opened(next) else { continue }
                here = inner
                try enter(here, next)
            } else if let above = levels.last {
                here = try self.above(here, above.identity)
                try removeEmptied(level.name, in: here.raw)
            }
        }
        try removeEmptied(name, in: folder)
    }

    /// Removes everything in a folder except its non-empty subfolders, which become the next level.
    private mutating func enter(_ folder: OpenFolder, _ name: EntryName) throws(AtriumError) {
        var level = Level(name: name, identity: try folder.status, folders: [])
        for name in try folder.names() where try !removeEntry(name, in: folder.raw) { level.folders.append(name) }
        levels.append(level)
    }

    /// Opens the parent folder and checks that it is still the expected one.
    private func above(_ folder: OpenFolder, _ expected: stat) throws(AtriumError) -> OpenFolder {
        let opened = try folder.call("openingParentFailed") {
            openat($0, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        }
        let above = OpenFolder(opened, at: folder.path.parent)
        guard try above.status.isSameItem(as: expected) else {
            throw AtriumError(.inputOutput, folder.path.string, reason: "movedWhileRemoved")
        }
        return above
    }

    private mutating func removeEmptied(_ name: EntryName, in folder: Int32) throws(AtriumError) {
        guard try !removeEntry(name, in: folder), !keepsFiles else { return }
        throw FileSystem.failure(reason: "removingFailed", path, ENOTEMPTY)
    }

    /// Returns whether an entry needs no more work; otherwise it is a folder that isn't empty.
    private mutating func removeEntry(_ name: EntryName, in folder: Int32) throws(AtriumError) -> Bool {
        var status = stat()
        let found = try OpenFolder.attempt("readingAttributesFailed", path, except: FileSystem.absence) {
            fstatat(folder, name.bytes, &status, AT_SYMLINK_NOFOLLOW)
        }
        if found == nil { return true }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if keepsFiles, !isFolder { return true }
        if unlinkat(folder, name.bytes, isFolder ? AT_REMOVEDIR : 0) == 0 {
            if status.st_mode & S_IFMT == S_IFREG { freed += Int64(status.st_size) }
            return true
        }
        if errno == ENOENT { return true }
        if isFolder, errno == ENOTEMPTY || errno == EEXIST { return false }
        throw FileSystem.failure(reason: "removingFailed", path)
    }
}

extension FileSystem {
    /// Removes a file or a folder with all of its contents, without following links; does nothing when it doesn't exist.
    package static func remove(_ path: FilePath) throws(AtriumError) {
        _ = try free(path)
    }

    /// Removes a file or a folder with all of its contents and returns the total size of the removed files, in bytes.
    package static func free(_ path: FilePath) throws(AtriumError) -> Int64 {
        var removal = TreeRemoval(path)
        try removal.remove(EntryName(path.string), in: AT_FDCWD)
        return removal.freed
    }

    /// Removes a folder and its subfolders, except those that contain files.
    package static func removeFolders(_ path: FilePath) throws(AtriumError) {
        var removal = TreeRemoval(path, keepingFiles: true)
        try removal.remove(EntryName(path.string), in: AT_FDCWD)
    }
}
