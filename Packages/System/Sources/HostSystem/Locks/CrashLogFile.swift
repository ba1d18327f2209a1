import CSystem
package import PluginCore
import Glibc

/// A crash log's file, which is locked while the process that wrote it lives.
///
/// The lock distinguishes living from dead processes, because process numbers are reused. A forked child doesn't inherit it
/// (`csystem_open_private`).
package struct CrashLogFile {
    package let path: FilePath
    /// The descriptor, open for appending.
    package let descriptor: Int32

    /// Writes a crash log in a folder: whole before it has its name.
    ///
    /// - Parameters:
    ///   - bytes: what it says.
    ///   - topic: the end of its name.
    ///   - folder: is made when it is not there, but not the one around it.
    /// - Returns: `nil` when it cannot be written.
    package init?(_ bytes: [UInt8], about topic: String, in folder: FilePath) {
        // Processes in different PID namespaces may share the folder.
        let name = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))-\(topic)"
        let (new, path) = (folder.appending("." + name), folder.appending(name))
        let options = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW
        var file = csystem_open_private(AT_FDCWD, new.string, options)
        if file < 0, errno == ENOENT, mkdir(folder.string, 0o755) == 0 || errno == EEXIST {
            file = csystem_open_private(AT_FDCWD, new.string, options)
        }
        guard file >= 0 else { return nil }
        guard flock(file, LOCK_EX | LOCK_NB) == 0, write(file, bytes, bytes.count) == bytes.count,
            (try? FileSystem.rename(new, to: path)) != nil
        else {
            unlink(new.string)
            csystem_close_private(file)
            return nil
        }
        self.path = path
        descriptor = file
    }

    /// Closes the file, after which its process counts as ended.
    package func close() { csystem_close_private(descriptor) }

    /// Removes it; its process is not at work for it any more.
    package func remove() { unlink(path.string) }

    /// Appends a line.
    package func note(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}

/// The file of a crash log whose process has ended.
package struct AbandonedCrashLogFile {
    /// The first bytes of the file.
    package let bytes: [UInt8]
    /// The time of the last write, in seconds since 1970.
    package let writtenAt: Int64

    /// Reads a file; fails when its process lives, or it isn't a regular file or doesn't exist any longer.
    ///
    /// - Parameter limit: how many bytes are read.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file cannot be read.
    package init?(_ name: EntryName, in folder: OpenFolder, limit: Int) throws(AtriumError) {
        // A file that can't be opened so doesn't exist any longer, or is a link or a socket.
        let file = try folder.open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, except: [ENOENT, ELOOP, ENXIO])
        guard let file, case let status = try file.status, status.kind == S_IFREG else { return nil }
        // A shared lock, so that several processes can read at once.
        guard try file.tryLock(LOCK_SH) else { return nil }
        bytes = try file.bytes(atMost: limit)
        writtenAt = Int64(status.st_mtim.tv_sec)
    }
}
