internal import CFileSystem

import Glibc

/// An open file or folder, which is closed when the last reference is released.
///
/// This is the only file of the module that makes system calls. Each call is retried on EINTR, and each error has the path and errno.
final class FileDescriptor: Sendable {
    private let raw: CInt
    /// The path for errors.
    let path: String

    private init(raw: CInt, path: String) {
        self.raw = raw
        self.path = path
    }

    deinit {
        // Linux closes the descriptor even on EINTR, so a second call could close a reused one.
        _ = close(raw)
    }

    static func message(forError number: Int32) -> String {
        String(cString: strerror(number))
    }

    /// Repeats a call while it is interrupted by signals. A result of -1 becomes an error for a path.
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
    /// Opens a file without blocking, so a pipe in a file's place cannot block the caller.
    static func openForReading(_ path: String, followingLinks: Bool = true) throws(ZipError) -> FileDescriptor {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
        return FileDescriptor(raw: try call(path) { openPath(path, flags) }, path: path)
    }

    static func openFolder(_ path: String) throws(ZipError) -> FileDescriptor {
        FileDescriptor(raw: try call(path) { openPath(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY) }, path: path)
    }

    /// Links an open file into this folder. Returns false if that is not possible.
    ///
    /// The reasons are another file system, too many links, or a missing `/proc`.
    func link(_ file: Int32, as name: String) -> Bool {
        linkat(AT_FDCWD, "/proc/self/fd/\(file)", raw, name, AT_SYMLINK_FOLLOW) == 0
    }

    /// Closes a descriptor of another owner.
    static func giveUp(_ file: Int32) {
        _ = Glibc.close(file)
    }

    /// Opens a file in this folder. Opening a symbolic link fails.
    func openForReading(_ name: String) throws(ZipError) -> FileDescriptor { try open(name, O_RDONLY | O_NONBLOCK) }

    func openFolder(_ name: String) throws(ZipError) -> FileDescriptor { try open(name, O_RDONLY | O_DIRECTORY) }

    /// Creates a file. It fails with EEXIST if the name exists, even as a dangling link.
    func createFile(_ name: String) throws(ZipError) -> FileDescriptor { try open(name, O_RDWR | O_CREAT | O_EXCL) }

    private func open(_ name: String, _ flags: CInt) throws(ZipError) -> FileDescriptor {
        let path = child(name)
        let opened = try Self.call(path) { openat(raw, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        return FileDescriptor(raw: opened, path: path)
    }
}

/// Wraps the variadic C function, so that the calls above are readable.
private func openPath(_ path: String, _ flags: CInt) -> CInt {
    open(path, flags)
}

extension FileDescriptor {
    /// Reads into the start of a buffer. The result is smaller than the requested count only at the end of the file.
    func read(into buffer: inout [UInt8], count: Int, at offset: UInt64) throws(ZipError) -> Int {
        let wanted = min(count, buffer.count)
        var done = 0
        var span = buffer.mutableSpan
        var bytes = span.mutableBytes
        while done < wanted {
            let got = try bytes.withUnsafeMutableBytes { (memory) throws(ZipError) -> Int in
                let rest = UnsafeMutableRawBufferPointer(rebasing: memory[done..<wanted])
                return try Self.call(path) { pread(raw, rest.baseAddress, rest.count, off_t(offset) + off_t(done)) }
            }
            if got == 0 { break }
            done += got
        }
        return done
    }

    func write(_ bytes: RawSpan, at offset: UInt64) throws(ZipError) {
        try bytes.withUnsafeBytes { (memory) throws(ZipError) in
            var done = 0
            while done < memory.count {
                let rest = UnsafeRawBufferPointer(rebasing: memory[done...])
                done += try Self.call(path) { pwrite(raw, rest.baseAddress, rest.count, off_t(offset) + off_t(done)) }
            }
        }
    }

    func truncate(to size: UInt64) throws(ZipError) {
        try Self.call(path) { ftruncate(raw, off_t(size)) }
    }

    func sync() throws(ZipError) {
        try Self.call(path) { fsync(raw) }
    }

    /// Syncs the file system of this file or folder. Returns false if the system does not support that.
    func syncFileSystem() throws(ZipError) -> Bool {
        do throws(ZipError) {
            try Self.call(path) { cfilesystem_sync(raw) }
            return true
        } catch {
            if error.errno == ENOSYS { return false }
            throw error
        }
    }

    /// Starts writing the file to the disk without waiting. Errors are ignored, because a sync follows.
    ///
    /// See ``sync()``.
    func startWriting() {
        // Pages that are being written cannot be dropped, so only the first half of this advice takes effect.
        _ = posix_fadvise(raw, 0, 0, POSIX_FADV_DONTNEED)
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

    /// Renames a file and atomically replaces an existing one.
    func rename(_ name: String, to newName: String) throws(ZipError) {
        try Self.call(child(newName)) { renameat(raw, name, raw, newName) }
    }

    /// Returns the target of a symbolic link, or nil for anything else.
    func goal(ofLink name: String) throws(ZipError) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(raw, name, &buffer, buffer.count)
        if count < 0 {
            // A missing file or another kind of file is not a link.
            if errno == EINVAL || errno == ENOENT { return nil }
            throw ZipError(.system, path: child(name), errno: errno)
        }
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns whether a file may replace a name: the name is that of a file or doesn't exist.
    func isFileOrNothing(_ name: String) throws(ZipError) -> Bool {
        do throws(ZipError) {
            return try status(of: name).kind == .file
        } catch {
            if error.errno == ENOENT { return true }
            throw error
        }
    }

    /// Returns the names in the folder in arbitrary order, without dot and dot-dot. A name that is not UTF-8 becomes nil.
    func names() throws(ZipError) -> [String?] {
        // A separate descriptor is needed, because fdopendir takes ownership and changes the offset.
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

/// The part of a file's status that archives need.
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

    /// Returns the status of a name without following a symbolic link, which counts as special.
    func status(of name: String) throws(ZipError) -> FileStatus {
        var status = stat()
        try Self.call(child(name)) { fstatat(raw, name, &status, AT_SYMLINK_NOFOLLOW) }
        return FileStatus(status)
    }
}

extension ZipError {
    /// A Boolean value that indicates whether the error is that the name already exists.
    var isFileExists: Bool { errno == EEXIST }
    /// A Boolean value that indicates whether the error is that the name is a symbolic link.
    var isSymbolicLink: Bool { errno == ELOOP }
}
