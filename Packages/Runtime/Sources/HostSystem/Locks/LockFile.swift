internal import CSystem
import Glibc
internal import PluginCore

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
        return fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && now.st_ino == status.st_ino
            && now.st_dev == status.st_dev
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
