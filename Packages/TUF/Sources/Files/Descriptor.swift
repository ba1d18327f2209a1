import Glibc

/// An open file or folder, which is closed when the last reference is released.
///
/// Each call is repeated when a signal interrupts it, and each error has the path and the number.
final class Descriptor: Sendable {
    private let raw: CInt
    let path: String

    private init(raw: CInt, path: String) {
        self.raw = raw
        self.path = path
    }

    deinit {
        // Linux closes the descriptor even on EINTR, so a second call could close a reused one.
        _ = close(raw)
    }

    static func open(_ path: String, _ flags: CInt) throws(FileError) -> Descriptor {
        Descriptor(raw: try systemCall(path) { openPath(path, flags | O_CLOEXEC) }, path: path)
    }

    func open(_ name: String, _ flags: CInt, mode: mode_t = 0o644) throws(FileError) -> Descriptor {
        Descriptor(raw: try call(name) { openat($0, name, flags | O_CLOEXEC, mode) }, path: place(name))
    }

    /// Makes a system call for a name in this folder, or for the file itself if the name is empty.
    @discardableResult
    func call<Result: SignedInteger>(_ name: String, _ body: (CInt) -> Result) throws(FileError) -> Result {
        try systemCall(place(name)) { body(raw) }
    }

    func place(_ name: String) -> String { name.isEmpty || name == "." ? path : "\(path)/\(name)" }

    func sync() throws(FileError) { try call("") { fsync($0) } }

    /// Locks the file until the descriptor is closed. Returns false if it is locked by another one.
    func tryLock() throws(FileError) -> Bool {
        do throws(FileError) {
            try call("") { flock($0, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            if error.number == EWOULDBLOCK { return false }
            throw error
        }
    }

    /// Removes the lock, also if the descriptor was copied.
    func unlock() { _ = flock(raw, LOCK_UN) }

    func status() throws(FileError) -> FileStatus {
        var status = stat()
        try call("") { fstat($0, &status) }
        return FileStatus(status)
    }

    func truncate(to length: Int64) throws(FileError) { try call("") { ftruncate($0, off_t(length)) } }

    /// Moves the offset for reading to the start.
    func rewind() throws(FileError) { try call("") { lseek($0, 0, SEEK_SET) } }

    /// Fills the buffer from its start. The result is 0 only at the end of the file.
    func read(into buffer: inout [UInt8]) throws(FileError) -> Int {
        try call("") { Glibc.read($0, &buffer, buffer.count) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try call("") { Glibc.write($0, rest.baseAddress, rest.count) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// The names in the folder in alphabetical order, without those that are not UTF-8.
    func names() throws(FileError) -> [String] {
        // fdopendir takes ownership of its descriptor and changes the offset.
        let own = try call("") { openat($0, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY) }
        guard let stream = fdopendir(own) else {
            let number = errno
            _ = close(own)
            throw FileError(path: path, number: number)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let item = readdir(stream) {
            let capacity = MemoryLayout.size(ofValue: item.pointee.d_name)
            let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: capacity) { String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// The identity and the length of a file.
struct FileStatus {
    let device: UInt64
    let number: UInt64
    let length: Int64
    let isFile: Bool
    /// The time of the last change in seconds since 1970.
    let modified: Int64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        length = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec)
        isFile = status.st_mode & S_IFMT == S_IFREG
    }

    func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}

/// Repeats a call while signals interrupt it. A result of -1 becomes an error for a path.
@discardableResult
func systemCall<Result: SignedInteger>(_ path: String, _ body: () -> Result) throws(FileError) -> Result {
    while true {
        let result = body()
        guard result == -1 else { return result }
        let number = errno
        guard number == EINTR else { throw FileError(path: path, number: number) }
    }
}

/// Wraps the variadic C function, so that the calls above are readable.
private func openPath(_ path: String, _ flags: CInt) -> CInt {
    open(path, flags)
}

/// A system call that failed, with its path.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the file or folder.
    public let path: String
    /// The system's error number.
    public let number: Int32

    init(path: String, number: Int32) {
        self.path = path
        self.number = number
    }

    /// A line for logs with path, message and number.
    public var description: String {
        "\(path.debugDescription): \(String(cString: strerror(number))) (errno \(number))"
    }
}

extension FileError {
    /// A Boolean value that indicates whether there is no file or folder with the path.
    public var isMissing: Bool { number == ENOENT || number == ENOTDIR }

    /// A Boolean value that indicates whether the disk is full, or the part of it that the user may use.
    public var isFull: Bool { number == ENOSPC || number == EDQUOT }

    /// A Boolean value that indicates whether the file is longer than a limit.
    public var isTooLarge: Bool { number == EFBIG }

    /// Returns the error of a file that does not exist.
    public static func missing(_ path: String) -> FileError { FileError(path: path, number: ENOENT) }
}
