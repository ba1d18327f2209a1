import CSystem
import Glibc
package import PluginCore

/// Typed access to the file system: thin calls that retry on EINTR and turn error numbers into errors.
package enum FileSystem {
    /// The kind of a directory entry.
    package enum Item {
        /// A regular file, with its size in bytes and its permission bits.
        case file(size: Int64, mode: UInt16)
        case folder
        case link
        case other

        init(_ status: stat) {
            switch status.kind {
            case S_IFREG:
                self = .file(
                    size: Int64(status.st_size), mode: UInt16(truncatingIfNeeded: status.st_mode & 0o7777))
            case S_IFDIR: self = .folder
            case S_IFLNK: self = .link
            default: self = .other
            }
        }
    }

    /// Looks up the status of a path, without following a link.
    ///
    /// Returns `nil` only when nothing is there and throws when that can't be determined, so that an unreadable item is never
    /// treated as missing.
    ///
    /// - Parameter absence: the error numbers that mean that nothing is there.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    static func status(of path: FilePath, absence: [Int32] = absence) throws(AtriumError) -> stat? {
        var status = stat()
        let found = try OpenFile.attempt("findingFailed", path, except: absence) { lstat(path.string, &status) }
        return found.map { _ in status }
    }

    /// The error numbers of a failed lookup that mean absence: no entry, or a file among the parent folders.
    static let absence = [ENOENT, ENOTDIR]

    /// Returns whether the error number of a failed lookup means that nothing is at the path.
    package static func isAbsence(_ number: Int32) -> Bool { absence.contains(number) }

    /// Looks up the item at a path, without following a link.
    ///
    /// - Returns: `nil` when nothing is there.
    /// - Throws: as ``status(of:)``.
    package static func item(at path: FilePath) throws(AtriumError) -> Item? {
        try status(of: path).map(Item.init)
    }

    /// Returns whether a folder is at a path, without following a link.
    ///
    /// - Throws: as ``status(of:)``.
    package static func isFolder(_ path: FilePath) throws(AtriumError) -> Bool {
        if case .folder = try item(at: path) { true } else { false }
    }

    /// Returns whether a regular file is at a path, without following a link.
    ///
    /// - Throws: as ``status(of:)``.
    package static func isFile(_ path: FilePath) throws(AtriumError) -> Bool {
        if case .file = try item(at: path) { true } else { false }
    }

    /// Creates a folder and its missing parents.
    ///
    /// - Parameter isPrivate: whether other users may not open the created folders.
    /// - Returns: the created folders, outermost first.
    @discardableResult
    package static func makeFolders(
        _ path: FilePath, isPrivate: Bool = false, patience: Int = 20
    ) throws(AtriumError) -> [FilePath] {
        let missing = try missingFolders(path)
        let mode: mode_t = isPrivate ? 0o700 : 0o755
        for folder in missing where mkdir(folder.string, mode) != 0 && errno != EEXIST {
            let number = errno
            let error = failure(reason: "creatingFolderFailed", folder)
            removeIfEmpty(missing)
            // Another process may have removed an empty parent folder meanwhile.
            guard number == ENOENT, patience > 0 else { throw error }
            return try makeFolders(path, isPrivate: isPrivate, patience: patience - 1)
        }
        return missing
    }

    /// Takes a file or folder of this user from all others, unless its owner may not write it either, and so shares it on purpose.
    package static func makePrivate(_ path: FilePath) {
        guard let status = try? status(of: path), status.st_uid == geteuid(), !isShared(status),
            status.st_mode & 0o077 != 0, [S_IFREG, S_IFDIR].contains(status.kind)
        else { return }
        chmod(path.string, status.st_mode & 0o700)
    }

    /// Creates an empty file that only this user may read, if nothing is there yet.
    package static func makePrivateFile(_ path: FilePath) {
        let file = open(path.string, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if file >= 0 { close(file) }
    }

    /// Returns the permission bits for a new file in place of another one: private, unless that one is shared on purpose.
    package static func privateMode(replacing path: FilePath) -> UInt32 {
        guard let status = try? status(of: path), isShared(status) else { return 0o600 }
        return UInt32(status.st_mode & 0o777)
    }

    /// Returns whether the owner of an item has made it unwritable, as in a sandbox that other users only read.
    private static func isShared(_ status: stat) -> Bool { status.st_mode & 0o200 == 0 }

    /// Returns the folders of a path that don't exist yet, outermost first.
    ///
    /// - Throws: as ``status(of:)``.
    package static func missingFolders(_ path: FilePath) throws(AtriumError) -> [FilePath] {
        var missing: [FilePath] = []
        var place = path
        while try item(at: place) == nil, place.string != "/", place.string != "." {
            missing.insert(place, at: 0)
            place = place.parent
        }
        return missing
    }

    /// Returns the names in a folder, sorted, with invalid UTF-8 repaired.
    package static func names(in folder: FilePath) throws(AtriumError) -> [String] {
        try OpenFolder.names(at: folder) { open(folder.string, O_RDONLY | O_CLOEXEC | O_DIRECTORY) }.map(\.words)
    }

    package static func rename(_ source: FilePath, to target: FilePath) throws(AtriumError) {
        try OpenFile.call("movingFailed", target, other: source) { Glibc.rename(source.string, target.string) }
    }

    /// Gives a file a second name, or moves it to that name when hard links aren't possible.
    ///
    /// Folders can't have hard links, and neither can any item on some file systems.
    package static func giveName(_ name: FilePath, to path: FilePath) throws(AtriumError) {
        let linked = try OpenFile.attempt(
            "linkingFailed", name, other: path, except: [EPERM, ENOTSUP, ENOSYS, EMLINK]
        ) { link(path.string, name.string) }
        if linked == nil { try rename(path, to: name) }
    }

    /// Swaps two folders, atomically where the file system supports it.
    package static func exchange(_ one: FilePath, _ other: FilePath) throws(AtriumError) {
        let exchanged = try OpenFile.attempt(
            "exchangingFailed", other, other: one, except: [EINVAL, ENOSYS, EOPNOTSUPP]
        ) { renameat2(AT_FDCWD, one.string, AT_FDCWD, other.string, UInt32(csystem_exchange)) }
        if exchanged != nil { return }
        let aside = FilePath(one.string + ".aside")
        try rename(other, to: aside)
        do {
            try rename(one, to: other)
        } catch {
            try? rename(aside, to: other)
            throw error
        }
        try rename(aside, to: one)
    }

    /// Writes the entries of a folder to the disk.
    package static func sync(_ folder: FilePath) throws(AtriumError) {
        try OpenFolder(folder: folder.string).sync()
    }

    /// Writes the entries of created folders to the disk, by syncing their parents.
    package static func sync(made folders: [FilePath]) throws(AtriumError) {
        for parent in Set(folders.map(\.parent.string)) { try sync(FilePath(parent)) }
    }

    /// Removes the empty ones of some folders, which are listed from the outermost to the innermost.
    package static func removeIfEmpty(_ folders: [FilePath]) {
        for folder in folders.reversed() { rmdir(folder.string) }
    }

    /// Returns the total size of the files below a path, in bytes.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when an item can't be examined.
    package static func size(of path: FilePath) throws(AtriumError) -> Int64 {
        switch try item(at: path) {
        case .file(let size, _): return size
        case .folder:
            var sum: Int64 = 0
            for name in try names(in: path) { sum += try size(of: path.appending(name)) }
            return sum
        case .link, .other, nil: return 0
        }
    }

    /// The folder that relative paths begin at; `nil` when it has gone.
    package static var currentFolder: FilePath? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { Glibc.free(path) }
        return FilePath(String(cString: path))
    }

    /// Returns whether a folder may have subfolders: each adds a hard link to it, where the file system counts them.
    package static func mayHaveFolders(_ folder: FilePath) -> Bool {
        guard let status = try? status(of: folder) else { return false }
        return status.kind == S_IFDIR && status.st_nlink != 2
    }

    /// Returns the path of a file with all links resolved, or the path itself when that fails.
    package static func resolved(_ path: FilePath) -> FilePath {
        guard let real = realpath(path.string, nil) else { return path }
        defer { Glibc.free(real) }
        return FilePath(String(cString: real))
    }

    /// Returns the text of a link; `nil` when the item isn't a link.
    package static func target(ofLink path: String) -> String? {
        var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = text.withUnsafeMutableBytes { memory in
            memory.baseAddress.map { readlink(path, $0, memory.count) } ?? -1
        }
        return count > 0 ? String(decoding: text[..<count], as: UTF8.self) : nil
    }
}
