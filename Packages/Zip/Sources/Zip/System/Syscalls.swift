internal import CFileSystem

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file or folder, closed when the last reference goes. The only file of this module that calls
/// the system: each call is retried on EINTR, and each failure carries the path and errno.
final class FileDescriptor: Sendable {
    private let raw: CInt
    /// The path it was opened by; used in errors only.
    let path: String

    private init(raw: CInt, path: String) {
        self.raw = raw
        self.path = path
    }

    deinit {
        // Linux frees the descriptor even on EINTR, so a second close could hit somebody else's.
        _ = close(raw)
    }

    static func message(forError number: Int32) -> String {
        String(cString: strerror(number))
    }

    /// Repeats a call while a signal interrupts it; -1 becomes an error about `path`.
    @discardableResult
    private static func call<Result: SignedInteger>(_ path: String, _ body: () -> Result) throws(ZipError) -> Result {
        while true {
            let result = body()
            guard result == -1 else { return result }
            let number = errno
            guard number == EINTR else { throw ZipError(.system, path: path, errno: number) }
        }
    }

    private func child(_ name: String) -> String {
        "\(path)/\(name)"
    }
}

extension FileDescriptor {
    /// Never waits, so that a pipe put in a file's place cannot hang the caller.
    static func openForReading(_ path: String, followingLinks: Bool = true) throws(ZipError) -> FileDescriptor {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
        return FileDescriptor(raw: try call(path) { openPath(path, flags) }, path: path)
    }

    static func openFolder(_ path: String) throws(ZipError) -> FileDescriptor {
        FileDescriptor(raw: try call(path) { openPath(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY) }, path: path)
    }

    /// Gives an open file a name in this folder; false where that cannot be done: another file system, too many names already,
    /// no `/proc`.
    func link(_ file: Int32, as name: String) -> Bool {
        linkat(AT_FDCWD, "/proc/self/fd/\(file)", raw, name, AT_SYMLINK_FOLLOW) == 0
    }

    /// Closes a descriptor that came from outside.
    static func giveUp(_ file: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(file)
        #else
            _ = Darwin.close(file)
        #endif
    }

    /// Opens a file of this folder; a link fails, whatever it leads to.
    func openForReading(_ name: String) throws(ZipError) -> FileDescriptor {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        let path = child(name)
        return FileDescriptor(raw: try Self.call(path) { openat(raw, name, flags) }, path: path)
    }

    func openFolder(_ name: String) throws(ZipError) -> FileDescriptor {
        let flags = O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW
        let path = child(name)
        return FileDescriptor(raw: try Self.call(path) { openat(raw, name, flags) }, path: path)
    }

    /// Fails with EEXIST on whatever is there, a dangling link included.
    func createFile(_ name: String) throws(ZipError) -> FileDescriptor {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let path = child(name)
        return FileDescriptor(raw: try Self.call(path) { openat(raw, name, flags, 0o600) }, path: path)
    }
}

/// `open` is variadic in C; a plain name keeps the calls above readable.
private func openPath(_ path: String, _ flags: CInt) -> CInt {
    open(path, flags)
}

extension FileDescriptor {
    /// Fills the front of `buffer` from `offset`; fewer than `count` bytes only at the end of the file.
    func read(into buffer: inout [UInt8], count: Int, at offset: UInt64) throws(ZipError) -> Int {
        let wanted = min(count, buffer.count)
        guard let start = off_t(exactly: offset), start <= off_t.max - off_t(wanted) else {
            throw ZipError(.malformed, path: path, detail: "offset \(offset) is out of range")
        }
        var done = 0
        var span = buffer.mutableSpan
        var bytes = span.mutableBytes
        while done < wanted {
            let got = try bytes.withUnsafeMutableBytes { (memory) throws(ZipError) -> Int in
                let rest = UnsafeMutableRawBufferPointer(rebasing: memory[done..<wanted])
                return try Self.call(path) { pread(raw, rest.baseAddress, rest.count, start + off_t(done)) }
            }
            if got == 0 { break }
            done += got
        }
        return done
    }

    func write(_ bytes: RawSpan, at offset: UInt64) throws(ZipError) {
        guard let start = off_t(exactly: offset), start <= off_t.max - off_t(bytes.byteCount) else {
            throw ZipError(.system, path: path, errno: EFBIG)
        }
        try bytes.withUnsafeBytes { (memory) throws(ZipError) in
            var done = 0
            while done < memory.count {
                let rest = UnsafeRawBufferPointer(rebasing: memory[done...])
                done += try Self.call(path) { pwrite(raw, rest.baseAddress, rest.count, start + off_t(done)) }
            }
        }
    }

    func truncate(to size: UInt64) throws(ZipError) {
        guard let size = off_t(exactly: size) else { throw ZipError(.system, path: path, errno: EFBIG) }
        try Self.call(path) { ftruncate(raw, size) }
    }

    func sync() throws(ZipError) {
        try Self.call(path) { fsync(raw) }
    }

    /// Waits for all that anybody wrote to the file system of this file or folder. False where the system cannot.
    func syncFileSystem() throws(ZipError) -> Bool {
        do throws(ZipError) {
            try Self.call(path) { cfilesystem_sync(raw) }
            return true
        } catch {
            if error.errno == ENOSYS { return false }
            throw error
        }
    }

    /// Asks the system to begin writing the file to the disk, and waits for nothing. A hint: it cannot fail in a way that
    /// matters, because ``sync()`` follows.
    func startWriting() {
        #if canImport(Glibc)
            // What is being written cannot be dropped from memory yet, so only the first half of this advice is taken.
            _ = posix_fadvise(raw, 0, 0, POSIX_FADV_DONTNEED)
        #endif
    }

    func setMode(_ mode: UInt16) throws(ZipError) {
        try Self.call(path) { fchmod(raw, mode_t(mode)) }
    }
}

extension FileDescriptor {
    func makeFolder(_ name: String) throws(ZipError) {
        try Self.call(child(name)) { mkdirat(raw, name, 0o700) }
    }

    func removeFile(_ name: String) throws(ZipError) {
        try Self.call(child(name)) { unlinkat(raw, name, 0) }
    }

    func removeFolder(_ name: String) throws(ZipError) {
        try Self.call(child(name)) { unlinkat(raw, name, AT_REMOVEDIR) }
    }

    /// Replaces `newName` if it is there, in one step.
    func rename(_ name: String, to newName: String) throws(ZipError) {
        try Self.call(child(newName)) { renameat(raw, name, raw, newName) }
    }

    /// Where a symbolic link leads, as it says itself; `nil` for what is none.
    func goal(ofLink name: String) throws(ZipError) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(raw, name, &buffer, buffer.count)
        if count < 0 {
            // Neither nothing nor something else is a link.
            if errno == EINVAL || errno == ENOENT { return nil }
            throw ZipError(.system, path: child(name), errno: errno)
        }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns whether a name can be given to a file: there is none, or nothing at all.
    func isFileOrNothing(_ name: String) throws(ZipError) -> Bool {
        do throws(ZipError) {
            return try status(of: name).kind == .file
        } catch {
            if error.errno == ENOENT { return true }
            throw error
        }
    }

    /// All names but `.` and `..`, in the order the file system gives them; `nil` for a name that is no UTF-8.
    func names() throws(ZipError) -> [String?] {
        // A fresh description of its own, because fdopendir takes the descriptor over and moves its offset.
        let own = try Self.call(path) { openat(raw, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY) }
        guard let stream = fdopendir(own) else {
            let number = errno
            _ = close(own)
            throw ZipError(.system, path: path, errno: number)
        }
        defer { closedir(stream) }
        var names: [String?] = []
        while true {
            errno = 0
            guard let item = readdir(stream) else { break }
            let capacity = MemoryLayout.size(ofValue: item.pointee.d_name)
            let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: capacity) { String(validatingCString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw ZipError(.system, path: path, errno: errno) }
        return names
    }
}

/// The little of `struct stat` that archives care about.
struct FileStatus {
    enum Kind {
        case file, folder, special
    }

    let kind: Kind
    let size: UInt64
    let isExecutable: Bool

    fileprivate init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        default: kind = .special
        }
        size = UInt64(clamping: status.st_size)
        isExecutable = status.st_mode & S_IXUSR != 0
    }
}

extension FileDescriptor {
    func status() throws(ZipError) -> FileStatus {
        var status = stat()
        try Self.call(path) { fstat(raw, &status) }
        return FileStatus(status)
    }

    /// Of the name itself: a symbolic link is `special`, wherever it points.
    func status(of name: String) throws(ZipError) -> FileStatus {
        var status = stat()
        try Self.call(child(name)) { fstatat(raw, name, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }
}

extension ZipError {
    /// Something has that name already.
    var isFileExists: Bool { errno == EEXIST }
    /// The name is a symbolic link, and links were not to be followed.
    var isSymbolicLink: Bool { errno == ELOOP }
}
