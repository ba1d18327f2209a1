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
        guard try FileSystem.lock(folder, kind == .shared ? LOCK_SH : LOCK_EX, at: path) else { return .busy }
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
        return ours.isSameItem(as: theirs)
    }

    /// Gives the lock back; once.
    package func release() {
        // A program that is being started has the descriptor until its exec, so closing it here may not release the lock at once.
        flock(descriptor, LOCK_UN)
        csystem_close_private(descriptor)
    }
}

extension FileSystem {
    /// Locks an open file or folder, `LOCK_SH` or `LOCK_EX`, without waiting; returns false while another process has it.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    static func lock(_ descriptor: Int32, _ kind: Int32, at path: FilePath) throws(AtriumError) -> Bool {
        while flock(descriptor, kind | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw failure(reason: "lockingFailed", path) }
        }
        return true
    }
}

extension stat {
    /// Returns whether two items are one: the same entry of the same device.
    func isSameItem(as other: stat) -> Bool { st_ino == other.st_ino && st_dev == other.st_dev }
}

/// A lock on a file that exists only while it is locked.
///
/// The lock excludes other processes and other callers in this one, and the kernel releases it when the process ends. Unlike `flock`, it needs
/// the right to write the file, so a confined process cannot lock what it may only read.
private struct LockFile: ~Copyable {
    private let name: EntryName
    private let folder: Int32
    private let descriptor: Int32

    /// Takes the lock; `nil` while another process has it.
    init?(_ name: EntryName, in folder: borrowing OpenFolder) throws(AtriumError) {
        let path = folder.path.appending(name.words)
        let file = csystem_open_private(folder.descriptor, name.bytes, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { throw FileSystem.failure(reason: "lockingFailed", path) }
        var isKept = false
        defer { if !isKept { csystem_close_private(file) } }
        let status = try FileSystem.status(of: file, at: path)
        guard case .file = FileSystem.Item(status) else {
            throw AtriumError(.sandboxUnwritable, path.string, reason: "notRegularFile")
        }
        guard csystem_lock(file, Int32(F_WRLCK)) == 0 else {
            guard errno == EWOULDBLOCK || errno == EACCES else {
                throw FileSystem.failure(reason: "lockingFailed", path)
            }
            return nil
        }
        // The process that had the lock may have removed the file since it was opened here, and then the lock excludes nobody.
        guard Self.isStill(status, name.bytes, folder.descriptor) else { return nil }
        isKept = true
        self.name = name
        self.folder = folder.descriptor
        descriptor = file
    }

    /// Removes the file and releases the lock. The folder must still be open.
    consuming func release() {
        var status = stat()
        if fstat(descriptor, &status) == 0, Self.isStill(status, name.bytes, folder) {
            unlinkat(folder, name.bytes, 0)
        }
        csystem_close_private(descriptor)
    }

    private static func isStill(_ status: stat, _ name: [CChar], _ folder: Int32) -> Bool {
        var now = stat()
        return fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.isSameItem(as: status)
    }
}

extension OpenFolder {
    /// Runs a closure while holding the lock of a file in this folder, which exists only meanwhile.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when the lock isn't free within two seconds, `sandboxUnwritable` or `inputOutput`, and
    ///   any error of `body`.
    package borrowing func whileLocked<R>(by name: EntryName, _ body: () throws -> R) throws -> R {
        var patience = 2_000
        while true {
            if let lock = try LockFile(name, in: self) {
                let result = Result { try body() }
                lock.release()
                return try result.get()
            }
            guard patience > 0 else { throw AtriumError(.sandboxBusy, path.string, reason: "otherHostUsesIt") }
            patience -= 1
            usleep(1_000)
        }
    }
}
