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
        let identity: OpenFolder.Identity
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
        guard var here = OpenFolder.open(name, in: folder, at: path) else {
            if errno == ENOENT { return }
            throw FileSystem.failure(reason: "openingFailed", path)
        }
        try enter(here, name)
        while var level = levels.popLast() {
            if let next = level.folders.popLast() {
                levels.append(level)
                guard let inner = try here.opened(next) else { continue }
                here = inner
                try enter(here, next)
            } else if let above = levels.last {
                here = try self.above(here, above.identity)
                try removeEmptied(level.name, in: here.descriptor)
            }
        }
        try removeEmptied(name, in: folder)
    }

    /// Removes everything in a folder except its non-empty subfolders, which become the next level.
    private mutating func enter(_ folder: borrowing OpenFolder, _ name: EntryName) throws(AtriumError) {
        var level = Level(name: name, identity: try folder.identity(), folders: [])
        for name in try folder.names() where try !removeEntry(name, in: folder.descriptor) {
            level.folders.append(name)
        }
        levels.append(level)
    }

    /// Opens the parent folder and checks that it is still the expected one.
    private func above(
        _ folder: borrowing OpenFolder, _ expected: OpenFolder.Identity
    ) throws(AtriumError) -> OpenFolder {
        guard let above = OpenFolder.open(EntryName(".."), in: folder.descriptor, at: folder.path.parent) else {
            throw FileSystem.failure(reason: "openingParentFailed", folder.path)
        }
        guard try above.identity() == expected else {
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
        guard fstatat(folder, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return true }
            throw FileSystem.failure(reason: "readingAttributesFailed", path)
        }
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
