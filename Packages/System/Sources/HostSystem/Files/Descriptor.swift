internal import CSystem
import Glibc

/// The errors of a module that uses descriptors: each system call that fails becomes one of them.
package protocol SystemFailure: Error {
    /// Creates the error of a system call for a path.
    init(errno: Int32, path: String)
}

extension SystemFailure {
    /// Returns a line for logs with path, message and number.
    package static func text(errno number: Int32, path: String) -> String {
        "\(path.debugDescription): \(FileSystem.message(number)) (errno \(number))"
    }
}

/// An open file or folder, which is closed when the last reference is released.
///
/// Each call is repeated when a signal interrupts it. Errors are those of the module that makes the call, so that none is translated.
///
/// ```swift
/// let folder = try Descriptor<ZipError>(folder: "Staging")
/// try folder.createFile("manifest.json").write(bytes.span.bytes, at: 0)
/// ```
package final class Descriptor<Failure: SystemFailure>: Sendable {
    private let raw: Int32
    /// The path for errors.
    package let path: String

    init(_ raw: Int32, at path: String) {
        self.raw = raw
        self.path = path
    }

    deinit {
        // Linux closes the descriptor even on EINTR, so a second call could close a reused one.
        _ = close(raw)
    }

    /// Opens a file without blocking, so that a pipe in a file's place cannot block the caller.
    package convenience init(file path: String, followingLinks: Bool = true) throws(Failure) {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
        self.init(try Self.call(path) { open(path, flags) }, at: path)
    }

    /// Opens a folder, after creating it with its missing parents if that is wanted.
    package convenience init(folder path: String, isCreated: Bool = false) throws(Failure) {
        if isCreated { try Self.makeFolders(path) }
        self.init(try Self.call(path) { open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY) }, at: path)
    }

    /// Opens a folder, or returns nil if there is none.
    package convenience init?(existingFolder path: String) throws(Failure) {
        let flags = O_RDONLY | O_CLOEXEC | O_DIRECTORY
        guard let opened = try Self.attempt(path, except: FileSystem.absence, { open(path, flags) }) else { return nil }
        self.init(opened, at: path)
    }

    /// Makes a system call for a name in this folder, or for the file itself if there is no name.
    @discardableResult
    func call<Result: SignedInteger>(_ name: String? = nil, _ body: (Int32) -> Result) throws(Failure) -> Result {
        try Self.call(place(name)) { body(raw) }
    }

    /// As ``call(_:_:)``, but some error numbers are expected, for which the result is nil.
    func attempt<Result: SignedInteger>(
        _ name: String? = nil, except expected: [Int32], _ body: (Int32) -> Result
    ) throws(Failure) -> Result? {
        try Self.attempt(place(name), except: expected) { body(raw) }
    }

    private static func call<Result: SignedInteger>(_ path: String, _ body: () -> Result) throws(Failure) -> Result {
        // Without expected numbers, there is a result.
        try attempt(path, except: [], body) ?? -1
    }

    private static func attempt<Result: SignedInteger>(
        _ path: String, except expected: [Int32], _ body: () -> Result
    ) throws(Failure) -> Result? {
        while true {
            let result = body()
            guard result == -1 else { return result }
            let number = errno
            if expected.contains(number) { return nil }
            guard number == EINTR else { throw Failure(errno: number, path: path) }
        }
    }

    func place(_ name: String?) -> String { name.map { "\(path)/\($0)" } ?? path }

    private static func makeFolders(_ path: String) throws(Failure) {
        var parent = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            parent += parent.isEmpty || parent.hasSuffix("/") ? name : "/" + name
            let made = parent
            // A parent may exist and forbid new folders; opening the folder will tell.
            _ = try attempt(made, except: [EEXIST, EROFS, EACCES]) { mkdir(made, 0o755) }
        }
    }
}

extension Descriptor {
    /// Reads into the start of a buffer. The result is smaller than the requested count only at the end of the file.
    package func read(into buffer: inout [UInt8], count: Int, at offset: UInt64) throws(Failure) -> Int {
        let wanted = min(count, buffer.count)
        var done = 0
        while done < wanted {
            let (position, rest) = (off_t(offset) + off_t(done), wanted - done)
            var span = buffer.mutableSpan
            var bytes = span.mutableBytes
            let got = try bytes.withUnsafeMutableBytes { (memory) throws(Failure) in
                try call { pread($0, memory.baseAddress.map { $0 + done }, rest, position) }
            }
            if got == 0 { break }
            done += got
        }
        return done
    }

    /// Returns the next 64 KiB, or nil at the end of the file.
    package func next() throws(Failure) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = try call { Glibc.read($0, &piece, piece.count) }
        guard count > 0 else { return nil }
        piece.removeLast(piece.count - count)
        return piece
    }

    /// Returns the rest of the content.
    ///
    /// - Throws: the error of EFBIG for more than `limit` bytes.
    package func content(atMost limit: Int) throws(Failure) -> [UInt8] {
        var content: [UInt8] = []
        while let piece = try next() {
            guard content.count + piece.count <= limit else { throw Failure(errno: EFBIG, path: path) }
            content += piece
        }
        return content
    }

    /// Moves the offset for reading to the start.
    package func rewind() throws(Failure) { try call { lseek($0, 0, SEEK_SET) } }

    /// Writes bytes at the file's offset.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try call { Glibc.write($0, rest.baseAddress, rest.count) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Writes bytes at an offset.
    package func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure) {
        try bytes.withUnsafeBytes { (memory) throws(Failure) in
            var done = 0
            while done < memory.count {
                let rest = UnsafeRawBufferPointer(rebasing: memory[done...])
                done += try call { pwrite($0, rest.baseAddress, rest.count, off_t(offset) + off_t(done)) }
            }
        }
    }

    /// Changes the length of the file.
    package func truncate(to size: UInt64) throws(Failure) { try call { ftruncate($0, off_t(size)) } }

    /// Writes the file, or the entries of the folder, to the disk.
    package func sync() throws(Failure) { try call { fsync($0) } }

    /// Syncs the file system of this file or folder. Returns false if the system does not support that.
    package func syncFileSystem() throws(Failure) -> Bool {
        try attempt(except: [ENOSYS]) { csystem_sync_file_system($0) } != nil
    }

    /// Starts writing the file to the disk without waiting. Errors are ignored, because a sync follows.
    package func startWriting() {
        // Pages that are being written cannot be dropped, so only the first half of this advice takes effect.
        _ = posix_fadvise(raw, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Sets the permission bits.
    package func setMode(_ mode: UInt16) throws(Failure) { try call { fchmod($0, mode_t(mode)) } }

    /// The kind of the open item.
    package var item: FileSystem.Item { get throws(Failure) { FileSystem.Item(try status) } }

    var status: stat {
        get throws(Failure) {
            var status = stat()
            try call { fstat($0, &status) }
            return status
        }
    }

    /// Locks the file until the descriptor is closed. Returns false if it is locked by another one.
    func tryLock() throws(Failure) -> Bool {
        try attempt(except: [EWOULDBLOCK]) { flock($0, LOCK_EX | LOCK_NB) } != nil
    }

    /// Removes the lock, also if the descriptor was copied.
    fileprivate func unlock() { _ = flock(raw, LOCK_UN) }

    /// The exclusive use of a folder, which ends when the value is released.
    package final class Lock: Sendable {
        private let descriptor: Descriptor

        init(of descriptor: Descriptor) {
            self.descriptor = descriptor
        }

        deinit {
            // Closing the descriptor is not enough: a child process has a copy of it until it starts its program.
            descriptor.unlock()
        }
    }
}
