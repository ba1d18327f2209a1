internal import CSystem
import Glibc
package import PluginCore

extension FileSystem {
    /// Replaces a file atomically: after any interruption, either the old or the new content is on the disk in full.
    ///
    /// The new content is written to `.<name>.new` in the same folder, a name that no bundle can have. Only one caller may
    /// replace a file at a time.
    ///
    /// - Parameter mode: the permission bits of the new file.
    package static func replace(_ path: FilePath, with bytes: [UInt8], mode: UInt32 = 0o600) throws(AtriumError) {
        let new = path.parent.appending(".\(path.lastComponent).new")
        // An interrupted attempt may have left a file or a link there.
        try remove(new)
        do throws(AtriumError) {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
            try write(bytes, to: open(new.string, flags, mode_t(mode)), at: new)
            try rename(new, to: path)
        } catch {
            unlink(new.string)
            throw error
        }
        try sync(path.parent)
    }

    /// Renames an invalid file to an unused name beside it, so that it is kept and a new one can be written.
    ///
    /// Only one caller may set a file aside at a time.
    ///
    /// - Returns: the new path.
    package static func setAside(_ path: FilePath) throws(AtriumError) -> FilePath {
        let first = FilePath(path.string + ".unreadable")
        var (free, number) = (first, 1)
        while try item(at: free) != nil {
            number += 1
            free = FilePath("\(first).\(number)")
        }
        try rename(path, to: free)
        return free
    }

    /// Writes a file that was just created to the disk, and closes it. A negative descriptor stands for the failure in `errno`.
    static func write(_ bytes: [UInt8], to file: Int32, at path: FilePath) throws(AtriumError) {
        guard file >= 0 else { throw failure(reason: "creatingFailed", path) }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                Glibc.write(file, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(reason: "writingFailed", path) }
            rest = rest.dropFirst(count)
        }
        while fsync(file) != 0 {
            guard errno == EINTR else { throw failure(reason: "syncingFailed", path) }
        }
    }

    /// Runs a closure while holding an exclusive lock on a folder, across processes and within this one.
    ///
    /// The kernel releases the lock when the process ends.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when the lock isn't free within two seconds, and any error of `body`.
    package static func whileLocked<R>(_ folder: FilePath, _ body: () throws -> R) throws -> R {
        let file = csystem_open_private(AT_FDCWD, folder.string, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard file >= 0 else { throw failure(reason: "openingFailed", folder) }
        defer { csystem_close_private(file) }
        var patience = 2_000
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(reason: "lockingFailed", folder) }
            guard patience > 0 else {
                throw AtriumError(.sandboxBusy, folder.string, reason: "otherHostUsesIt")
            }
            patience -= 1
            usleep(1_000)
        }
        return try body()
    }
}
