internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// A marker's file, which is locked while the process that wrote it lives.
///
/// The lock distinguishes living from dead processes, because process numbers are reused. A forked child doesn't inherit it
/// (`csystem_open_private`). See Documentation/Decisions/0002-nothing-survives-a-fork.md.
struct MarkerFile {
    let path: FilePath
    /// The descriptor, open for appending.
    let descriptor: Int32

    /// Writes a marker into a folder, completely before it gets its name; fails when it can't be written.
    init?(writing marker: ProbationMarker, waits: Bool, in folder: FilePath) {
        // Processes in different PID namespaces may share the folder.
        let name = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))-\(marker.phase.rawValue)"
        let (new, path) = (folder.appending("." + name), folder.appending(name))
        let options = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW
        var file = csystem_open_private(AT_FDCWD, new.string, options)
        if file < 0, errno == ENOENT, mkdir(folder.string, 0o755) == 0 || errno == EEXIST {
            file = csystem_open_private(AT_FDCWD, new.string, options)
        }
        guard file >= 0 else { return nil }
        let bytes = marker.bytes + (waits ? Array(ProbationMarker.waits.utf8) : [])
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
    func close() { csystem_close_private(descriptor) }

    /// Appends a line.
    func note(_ line: String) {
        let bytes = Array(line.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}

/// A marker whose process has ended.
struct DeadMarker {
    /// The suffix of the name after the marker has been counted as a strike.
    private static let counted = ".counted"

    let name: EntryName
    /// The content; `nil` when it isn't a valid marker.
    let marker: ProbationMarker?
    /// The time of the last write, in seconds since 1970.
    let writtenAt: Int64

    /// Reads a marker; fails when its process lives, or it isn't a regular file or doesn't exist any longer.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can't be read, since it may concern any version.
    init?(_ name: EntryName, in folder: borrowing OpenFolder) throws(AtriumError) {
        let path = folder.path.appending(name.words)
        let file = openat(folder.descriptor, name.bytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            // It doesn't exist any longer, or is a link or a socket.
            if [ENOENT, ELOOP, ENXIO].contains(errno) { return nil }
            throw FileSystem.failure("opening it", path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw FileSystem.failure("looking at it", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        // A shared lock, so that several processes can read at once.
        while flock(file, LOCK_SH | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw FileSystem.failure("locking it", path) }
        }
        marker = ProbationMarker(try Self.bytes(of: file, at: path))
        writtenAt = Int64(status.st_mtim.tv_sec)
        self.name = name
    }

    /// Reads the file up to the maximum size of a marker.
    private static func bytes(of file: Int32, at path: FilePath) throws(AtriumError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: ProbationMarker.limit)
        while bytes.count < ProbationMarker.limit {
            let count = pread(file, &buffer, ProbationMarker.limit - bytes.count, off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileSystem.failure("reading it", path) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// A Boolean value that indicates whether it was counted as a strike already, so that strikes found later are further ones.
    var isCounted: Bool { name.words.hasSuffix(Self.counted) }

    /// Marks it as counted by renaming it, which is atomic.
    func count(in folder: borrowing OpenFolder) {
        guard !isCounted, let text = name.text else { return }
        renameat(folder.descriptor, name.bytes, folder.descriptor, EntryName(text + Self.counted).bytes)
    }

    /// Removes the file from its folder.
    func remove(from folder: borrowing OpenFolder) { unlinkat(folder.descriptor, name.bytes, 0) }
}
