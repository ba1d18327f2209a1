internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// The file of one marker. It is locked for as long as the process lives that wrote it, which is how a living one is told from
/// a dead one: process numbers come again. A child that the process forks does not get it (`csystem_open_private`).
struct MarkerFile {
    let path: FilePath
    /// Open for appending.
    let descriptor: Int32

    /// Writes a marker in a folder: whole before it has its name.
    ///
    /// - Returns: `nil` when it cannot be written.
    init?(writing marker: ProbationMarker, waits: Bool, in folder: FilePath) {
        // Processes that do not know each other's numbers may share the folder.
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

    /// Closes the file, which nobody is to read as that of a living process any more.
    func close() { csystem_close_private(descriptor) }

    /// Adds a line.
    func note(_ line: String) {
        let bytes = Array(line.utf8)
        _ = write(descriptor, bytes, bytes.count)
    }
}

/// A marker whose process has ended.
struct DeadMarker {
    /// What the name of one ends with that was counted as a strike.
    private static let counted = ".counted"

    let name: EntryName
    /// `nil` when its text is not a marker's.
    let marker: ProbationMarker?
    /// When it was last written, in seconds since 1970.
    let writtenAt: Int64

    /// Reads a file; `nil` when its process lives, or it is gone, or no file.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file cannot be read: it may speak against
    ///   any version.
    init?(_ name: EntryName, in folder: borrowing OpenFolder) throws(AtriumError) {
        let path = folder.path.appending(name.words)
        let file = openat(folder.descriptor, name.bytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            // Gone, a link, or a socket.
            if [ENOENT, ELOOP, ENXIO].contains(errno) { return nil }
            throw FileSystem.failure("opening it", path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw FileSystem.failure("looking at it", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        // Shared, so that several may read at once.
        while flock(file, LOCK_SH | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw FileSystem.failure("locking it", path) }
        }
        marker = ProbationMarker(try Self.bytes(of: file, at: path))
        writtenAt = Int64(status.st_mtim.tv_sec)
        self.name = name
    }

    /// As much of a file as a marker may have.
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

    /// A Boolean value that indicates whether somebody has looked at it and found a strike: what is found later happened later.
    var isCounted: Bool { name.words.hasSuffix(Self.counted) }

    /// Writes that down, in the name: no half of that is ever there.
    func count(in folder: borrowing OpenFolder) {
        guard !isCounted, let text = name.text else { return }
        renameat(folder.descriptor, name.bytes, folder.descriptor, EntryName(text + Self.counted).bytes)
    }

    /// Removes the file from its folder.
    func remove(from folder: borrowing OpenFolder) { unlinkat(folder.descriptor, name.bytes, 0) }
}
