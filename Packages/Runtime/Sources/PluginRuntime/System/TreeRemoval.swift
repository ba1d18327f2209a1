#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// Takes something off the disk with all that is in it.
///
/// It goes from folder to folder by what it has open, by the bytes of names: so no link leads it away, whoever puts one there
/// meanwhile, and a tree may be deeper than a path can be long. However deep it is, few files are open.
struct TreeRemoval {
    /// A folder on the way down.
    private struct Level {
        let name: EntryName
        let identity: OpenFolder.Identity
        /// The folders in it that are still to go.
        var folders: [EntryName]
    }

    /// The sizes of the files that went, in bytes.
    private(set) var freed: Int64 = 0
    private let path: FilePath
    private let keepsFiles: Bool
    private var levels: [Level] = []

    /// - Parameters:
    ///   - path: what goes, for people.
    ///   - keepsFiles: whether folders alone go, and those stay in which anything else lies.
    init(_ path: FilePath, keepingFiles keepsFiles: Bool = false) {
        self.path = path
        self.keepsFiles = keepsFiles
    }

    /// Removes what has a name in an open folder, or a path from `AT_FDCWD`. Nothing there is fine.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`; what could go until then has gone.
    mutating func remove(_ name: EntryName, in folder: Int32) throws(AtriumError) {
        if try removeEntry(name, in: folder) { return }
        guard var here = OpenFolder.open(name, in: folder, at: path) else {
            if errno == ENOENT { return }
            throw FileSystem.failure("opening it", path)
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

    /// Removes all in a folder but the folders that are not empty, which are next.
    private mutating func enter(_ folder: borrowing OpenFolder, _ name: EntryName) throws(AtriumError) {
        var level = Level(name: name, identity: try folder.identity(), folders: [])
        for name in try folder.names() where try !removeEntry(name, in: folder.descriptor) {
            level.folders.append(name)
        }
        levels.append(level)
    }

    /// The folder above, which has to be the one that led here.
    private func above(
        _ folder: borrowing OpenFolder, _ expected: OpenFolder.Identity
    ) throws(AtriumError) -> OpenFolder {
        guard let above = OpenFolder.open(EntryName(".."), in: folder.descriptor, at: folder.path.parent) else {
            throw FileSystem.failure("opening the folder above it", folder.path)
        }
        guard try above.identity() == expected else {
            throw AtriumError(.inputOutput, folder.path.string, detail: "it was moved while it was removed")
        }
        return above
    }

    private mutating func removeEmptied(_ name: EntryName, in folder: Int32) throws(AtriumError) {
        guard try !removeEntry(name, in: folder), !keepsFiles else { return }
        throw FileSystem.failure("removing it", path, ENOTEMPTY)
    }

    /// Returns whether nothing more is to be done with it; otherwise it is a folder that is not empty.
    private mutating func removeEntry(_ name: EntryName, in folder: Int32) throws(AtriumError) -> Bool {
        var status = stat()
        guard fstatat(folder, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return true }
            throw FileSystem.failure("looking at it", path)
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if keepsFiles, !isFolder { return true }
        if unlinkat(folder, name.bytes, isFolder ? AT_REMOVEDIR : 0) == 0 {
            if status.st_mode & S_IFMT == S_IFREG { freed += Int64(status.st_size) }
            return true
        }
        if errno == ENOENT { return true }
        if isFolder, errno == ENOTEMPTY || errno == EEXIST { return false }
        throw FileSystem.failure("removing it", path)
    }
}

extension FileSystem {
    /// Removes a file or a folder with all that is in it. Nothing there is fine. Never follows a link at the path's end, or in what
    /// lies there.
    static func remove(_ path: FilePath) throws(AtriumError) {
        _ = try free(path)
    }

    /// The same; returns the sizes of the files that went, in bytes.
    static func free(_ path: FilePath) throws(AtriumError) -> Int64 {
        var removal = TreeRemoval(path)
        try removal.remove(EntryName(path.string), in: AT_FDCWD)
        return removal.freed
    }

    /// Removes a folder with the folders in it, as far as no file lies in them.
    static func removeFolders(_ path: FilePath) throws(AtriumError) {
        var removal = TreeRemoval(path, keepingFiles: true)
        try removal.remove(EntryName(path.string), in: AT_FDCWD)
    }
}
