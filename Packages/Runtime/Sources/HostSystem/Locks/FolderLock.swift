internal import CSystem
import Glibc
package import PluginCore

/// A lock on a folder, which the kernel gives back when the process ends.
///
/// A child that the process forks does not have it.
///
/// ```swift
/// if case .taken(let lock) = try FolderLock.attempt(folder, .exclusive) {
///     defer { lock.release() }
///     try FileSystem.remove(folder)
/// }
/// ```
package struct FolderLock: Sendable {
    /// The processes that may have the lock at the same time.
    package enum Kind: Sendable {
        /// Any number of processes that share it.
        case shared
        /// This one alone.
        case exclusive
    }

    /// The result of an attempt to lock a folder.
    package enum Attempt: Sendable {
        /// It is locked until ``FolderLock/release()``.
        case taken(FolderLock)
        /// Another process has locked it.
        case busy
        /// The folder doesn't exist any longer.
        case gone
    }

    private let descriptor: Int32

    /// The error numbers of a missing folder: its name doesn't exist, or is another item's.
    private static let gone = [ENOENT, ENOTDIR, ELOOP]

    /// Opens a folder and locks it, provided that it is still that folder then. Never waits.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func attempt(_ path: FilePath, _ kind: Kind) throws(AtriumError) -> Attempt {
        let folder = csystem_open_private(AT_FDCWD, path.string, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard folder >= 0 else {
            if gone.contains(errno) { return .gone }
            throw FileSystem.failure(reason: "openingFailed", path)
        }
        let lock = FolderLock(descriptor: folder)
        var isKept = false
        defer { if !isKept { lock.release() } }
        while flock(folder, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return .busy }
            guard errno == EINTR else { throw FileSystem.failure(reason: "lockingFailed", path) }
        }
        isKept = try lock.isStill(at: path)
        return isKept ? .taken(lock) : .gone
    }

    /// Returns whether the locked folder is the one at a path.
    ///
    /// - Throws: as ``attempt(_:_:)``.
    package func isStill(at path: FilePath) throws(AtriumError) -> Bool {
        var (ours, theirs) = (stat(), stat())
        guard fstat(descriptor, &ours) == 0, lstat(path.string, &theirs) == 0 else {
            if Self.gone.contains(errno) { return false }
            throw FileSystem.failure(reason: "readingAttributesFailed", path)
        }
        return ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
    }

    /// Gives the lock back; once.
    package func release() {
        // A program that is being started has the descriptor until its exec, so closing it here may not release the lock at once.
        flock(descriptor, LOCK_UN)
        csystem_close_private(descriptor)
    }
}
