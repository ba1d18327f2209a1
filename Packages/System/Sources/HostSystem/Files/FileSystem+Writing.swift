internal import CSystem
import Glibc
public import PluginCore

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
        try append(bytes, to: file, at: path)
        try sync(file, at: path)
    }

    /// Writes all bytes to an open file.
    ///
    /// - Parameter name: the name of the reason in the error when that fails.
    static func append(
        _ bytes: [UInt8], to file: Int32, at path: FilePath, failing name: String = "writingFailed"
    ) throws(AtriumError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(reason: name, path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes an open file, or the entries of an open folder, to the disk.
    static func sync(_ descriptor: Int32, at path: FilePath) throws(AtriumError) {
        while fsync(descriptor) != 0 {
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
        while try !lock(file, LOCK_EX, at: folder) {
            guard patience > 0 else {
                throw AtriumError(.sandboxBusy, folder.string, reason: "otherHostUsesIt")
            }
            patience -= 1
            usleep(1_000)
        }
        return try body()
    }
}

/// A file in memory, which leaves nothing behind however the process ends, and which nobody can change.
///
/// ```swift
/// let library = try MemoryFile(bytes, named: "libShop.so")
/// // A program that inherits library.descriptor can open library.path.
/// ```
public final class MemoryFile: Sendable {
    /// The open file, which other programs do not inherit unless they are started so.
    public let descriptor: Int32

    /// The file's path in this process, and in each program that has inherited the descriptor under the same number.
    public var path: FilePath { FilePath("/proc/self/fd/\(descriptor)") }

    /// Creates a file.
    ///
    /// - Parameter name: its name for debuggers.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    public init(_ bytes: [UInt8], named name: String) throws(AtriumError) {
        descriptor = memfd_create(name, UInt32(csystem_memory_flags))
        guard descriptor >= 0 else { throw FileSystem.failure(reason: "creatingInMemoryFailed", FilePath(name)) }
        try FileSystem.append(bytes, to: descriptor, at: FilePath(name), failing: "writingToMemoryFailed")
        // Another process that gets the file could make it memory of its own, without a limit.
        guard csystem_seal(descriptor, true) == 0 else {
            throw FileSystem.failure(reason: "writingToMemoryFailed", FilePath(name))
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}

/// Files without a name, which disappear with their last descriptors.
package enum UnnamedFile {
    /// Creates a file with some content.
    ///
    /// - Parameter folder: The folder in whose file system it lies.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func create(_ bytes: [UInt8], in folder: FilePath) throws(AtriumError) -> AttachmentFile {
        let name = folder.appending(".\(processSerial())")
        let descriptor = open(name.string, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileSystem.failure(reason: "creatingFailed", name) }
        let file = AttachmentFile(taking: descriptor)
        guard unlink(name.string) == 0 else { throw FileSystem.failure(reason: "removingFailed", name) }
        try FileSystem.append(bytes, to: descriptor, at: name)
        return file
    }
}
