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

    private let folder: OpenFolder

    /// The error numbers of a missing folder: its name doesn't exist, or is another item's.
    private static let gone = [ENOENT, ENOTDIR, ELOOP]

    /// Opens a folder and locks it, provided that it is still that folder then. Never waits.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func attempt(_ path: FilePath, _ kind: Kind) throws(AtriumError) -> Attempt {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        let folder = try OpenFolder.open(EntryName(path.string), at: path, flags, isPrivate: true, except: gone)
        guard let folder else { return .gone }
        guard try folder.tryLock(kind == .shared ? LOCK_SH : LOCK_EX) else { return .busy }
        let lock = Self(folder: folder)
        return try lock.isStill(at: path) ? .taken(lock) : .gone
    }

    /// Locks a folder that nobody uses, for the caller to remove before it releases the lock.
    ///
    /// - Returns: `nil` when the folder is in use or missing.
    /// - Throws: as ``attempt(_:_:)``.
    package static func removal(of folder: FilePath) throws(AtriumError) -> Self? {
        if case .taken(let lock) = try attempt(folder, .exclusive) { lock } else { nil }
    }

    /// Returns whether the locked folder is the one at a path.
    ///
    /// - Throws: as ``attempt(_:_:)``.
    func isStill(at path: FilePath) throws(AtriumError) -> Bool {
        try FileSystem.status(of: path, absence: Self.gone)?.isSameItem(as: folder.status) ?? false
    }

    /// Gives the lock back; once.
    package func release() { folder.unlock() }
}

extension FileSystem {
    /// Runs a closure while holding an exclusive lock on a folder, across processes and within this one.
    ///
    /// The kernel releases the lock when the process ends.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when the lock isn't free within two seconds, and any error of `body`.
    package static func whileLocked<R>(_ folder: FilePath, _ body: () throws -> R) throws -> R {
        let lock = try wait(for: folder) { () throws(AtriumError) -> FolderLock? in
            switch try FolderLock.attempt(folder, .exclusive) {
            case .taken(let lock): lock
            case .busy: nil
            case .gone: throw failure(reason: "openingFailed", folder, ENOENT)
            }
        }
        defer { lock.release() }
        return try body()
    }

    /// Returns the first result of attempts to take a lock, within two seconds.
    ///
    /// - Throws: the errors of an attempt, and ``AtriumError`` with code `sandboxBusy`.
    package static func wait<Lock>(
        for folder: FilePath, _ attempt: () throws(AtriumError) -> Lock?
    ) throws(AtriumError) -> Lock {
        for _ in 0..<2_000 {
            if let lock = try attempt() { return lock }
            usleep(1_000)
        }
        throw AtriumError(.sandboxBusy, folder, reason: "otherHostUsesIt")
    }
}

extension OpenFolder {
    /// Removes a locked file of this folder; the lock ends after the file has gone.
    package func unlock(_ file: OpenFile, as name: EntryName) {
        withExtendedLifetime(file) { if (try? has(file, as: name)) == true { unlink(name) } }
    }

    /// Creates and locks a file of this folder; `nil` while another process has it.
    package func lockedFile(_ name: EntryName) throws(AtriumError) -> OpenFile? {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
        let file = try Self.open(
            name, in: raw, at: place(name.words), flags, isPrivate: true, failing: "lockingFailed", except: [])
        guard let file else { return nil }
        guard case .file = try file.item else {
            throw AtriumError(.sandboxUnwritable, file.path, reason: "notRegularFile")
        }
        // The process that had the lock may have removed the file since it was opened here, and then the lock excludes nobody.
        guard try file.tryLockWriting(), try has(file, as: name) else { return nil }
        return file
    }
}
