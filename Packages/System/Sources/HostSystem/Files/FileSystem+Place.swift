import Glibc
package import PluginCore

extension FileSystem {
    /// The result of checking that this process can work in a folder.
    ///
    /// An item that can't be examined isn't reported as missing.
    package enum Access {
        case usable
        /// Nothing exists at the path.
        case missing
        case unusable(ErrorReason, remedy: ErrorReason)

        /// The advice for a folder that can't be used.
        package var remedy: ErrorReason? { if case .unusable(_, let remedy) = self { remedy } else { nil } }

        /// Classifies the error number of a failed look at a folder.
        init(errno number: Int32) {
            switch number {
            case ENOENT: self = .missing
            case EACCES, EPERM, EROFS: self = .unusable(ErrorReason("accessDenied"), remedy: FileSystem.askForAccess)
            // A component of the path isn't a folder, or a link is broken or circular.
            case ENOTDIR, ELOOP, ENAMETOOLONG: self = .unusable(ErrorReason("pathBlocked"), remedy: moveAway)
            default:
                let reason = ErrorReason("readingAttributesFailed", ["message": .text(message(number))])
                self = .unusable(reason, remedy: ErrorReason("checkItsDisk"))
            }
        }
    }

    /// The remedy for missing permissions.
    package static let askForAccess = ErrorReason("askForAccess")
    private static let moveAway = ErrorReason("moveItAway")

    /// Checks that this process can read, write and search a folder, following links.
    package static func access(to folder: FilePath) -> Access {
        var status = stat()
        guard stat(folder.string, &status) == 0 else {
            let number = errno
            // A broken link isn't an absent item: no folder can be made in its place.
            return Access(errno: number == ENOENT && (try? item(at: folder)) != nil ? ELOOP : number)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return .unusable(ErrorReason("noFolderThere"), remedy: moveAway)
        }
        return Glibc.access(folder.string, R_OK | W_OK | X_OK) == 0 ? .usable : Access(errno: errno)
    }
}

extension FileSystem {
    /// Checks that libraries in a folder, which need not exist yet, can be loaded.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnusable` when the file system is mounted with `noexec`; the detail names
    ///   the mount point.
    package static func requireExecution(in path: FilePath) throws(AtriumError) {
        guard forbidsExecution(path) else { return }
        var mount = path
        while mount.parent != mount, mount.string != ".", forbidsExecution(mount.parent) { mount = mount.parent }
        throw AtriumError(
            .sandboxUnusable, path.string,
            reason: "noexec", ["mount": .text(mount.string)])
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
}

extension FileSystem {
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
            .storageFull, path.string, reason: "spaceNeeded",
            ["needed": .integer(Int(need >> 10)), "free": .integer(Int(space >> 10))])
    }
}
