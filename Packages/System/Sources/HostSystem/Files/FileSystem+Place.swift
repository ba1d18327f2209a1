import Glibc
package import PluginCore

extension FileSystem {
    /// The remedy for missing permissions.
    package static let askForAccess = ErrorReason("askForAccess")

    /// Returns the reason why this process cannot read, write and search a folder, following links, and the advice.
    ///
    /// - Returns: `nil` for a folder that it can use, and if nothing is at the path.
    package static func obstacle(in folder: FilePath) -> (reason: ErrorReason, remedy: ErrorReason)? {
        let moveAway = ErrorReason("moveItAway")
        var status = stat()
        var number: Int32 = 0
        if stat(folder.string, &status) != 0 {
            number = errno
            // A broken link isn't an absent item: no folder can be made in its place.
            if number == ENOENT, (try? item(at: folder)) == nil { return nil }
        } else {
            guard status.kind == S_IFDIR else { return (ErrorReason("noFolderThere"), moveAway) }
            if access(folder.string, R_OK | W_OK | X_OK) == 0 { return nil }
            number = errno
        }
        switch number {
        case EACCES, EPERM, EROFS: return (ErrorReason("accessDenied"), askForAccess)
        // A component of the path isn't a folder, or a link is broken or circular.
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: return (ErrorReason("pathBlocked"), moveAway)
        default:
            let reason = ErrorReason("readingAttributesFailed", ["message": .text(message(number))])
            return (reason, ErrorReason("checkItsDisk"))
        }
    }

    /// Checks that libraries in a folder, which need not exist yet, can be loaded.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnusable` when the file system is mounted with `noexec`; the detail names
    ///   the mount point.
    package static func requireExecution(in path: FilePath) throws(AtriumError) {
        guard forbidsExecution(path) else { return }
        var mount = path
        while mount.parent != mount, mount.string != ".", forbidsExecution(mount.parent) { mount = mount.parent }
        throw AtriumError(
            .sandboxUnusable, path,
            reason: "noexec", ["mount": "\(mount)"])
    }

    /// Returns whether the file system of a path, or of its nearest existing parent, forbids running code.
    ///
    /// Such a file system is mounted with `noexec`. A task-local value, because an unprivileged test can't mount a file system and
    /// replaces it.
    @TaskLocal static var forbidsExecution: @Sendable (FilePath) -> Bool = { path in
        var status = statvfs()
        var place = path
        while statvfs(place.string, &status) != 0 {
            guard isAbsence(errno), place.parent != place else { return false }
            place = place.parent
        }
        return status.f_flag & noexec != 0
    }

    /// The flag ST_NOEXEC of statvfs, which glibc declares only for _GNU_SOURCE.
    private static let noexec: UInt = 8

    /// Returns the number of bytes that this process may still write on the file system of a path, if known.
    package static func space(at path: FilePath) -> UInt64? { freeSpace(path) }

    /// Measures the free space; a task-local value, because a test can't fill a disk and replaces it.
    @TaskLocal static var freeSpace: @Sendable (FilePath) -> UInt64? = { path in
        var status = statvfs()
        guard statvfs(path.string, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) &* UInt64(status.f_frsize)
    }

    /// Checks that enough space is free, without reserving it.
    ///
    /// - Throws: ``AtriumError`` with code `storageFull`; the detail has both figures.
    package static func requireSpace(_ need: UInt64, at path: FilePath) throws(AtriumError) {
        guard let space = space(at: path), space < need else { return }
        throw AtriumError(
            .storageFull, path, reason: "spaceNeeded",
            ["needed": .integer(Int(need >> 10)), "free": .integer(Int(space >> 10))])
    }

    /// Returns the first link among some folders and those that lead to them from a root, which may be one itself.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be determined.
    package static func firstLink(from root: FilePath, to folders: [FilePath]) throws(AtriumError) -> FilePath? {
        var seen: Set<FilePath> = []
        for place in folders.flatMap({ $0.way(from: root) }) where seen.insert(place).inserted {
            if case .link = try item(at: place) { return place }
        }
        return nil
    }
}

extension FilePath {
    /// Returns the folders between a root and this item, outermost first, and this item.
    func way(from root: Self) -> [Self] {
        var way: [Self] = []
        var place = self
        while place.string.utf8.count > root.string.utf8.count, place.string != "." {
            way.insert(place, at: 0)
            place = place.parent
        }
        return way
    }
}
