import CSystem
import Glibc
package import PluginCore

/// The errors of a module that uses descriptors: each system call that fails becomes one of them.
package protocol SystemFailure: Error {
    /// Creates the error of a system call for a path.
    init(errno: Int32, path: String)

    /// Creates the error of a system call for a path, and a second one if the call has two.
    ///
    /// - Parameter step: the name of the reason, such as `openingFailed`, for modules that distinguish the calls.
    init(errno: Int32, path: FilePath, other: FilePath?, step: String)
}

extension SystemFailure {
    package init(errno: Int32, path: FilePath, other: FilePath?, step: String) {
        self.init(errno: errno, path: path.string)
    }

    /// Returns a line for logs with path, message and number.
    package static func text(errno number: Int32, path: String) -> String {
        "\(path.debugDescription): \(FileSystem.message(number)) (errno \(number))"
    }
}

/// An open file or folder, which is closed when the last reference is released.
///
/// Operations on a folder act on this folder even if another item has taken its path. Each call is repeated when a signal interrupts it.
/// Errors are those of the module that makes the call, so that none is translated.
///
/// ```swift
/// let folder = try Descriptor<ZipError>(folder: "Staging")
/// try folder.createFile("manifest.json").write(bytes.span.bytes, at: 0)
/// ```
package final class Descriptor<Failure: SystemFailure>: Sendable {
    /// The number, which is valid as long as this object.
    package let raw: Int32
    /// The path for errors.
    package let path: FilePath
    /// The path for errors of modules that know no other paths than texts.
    package var pathText: String { path.string }
    private let isPrivate: Bool

    /// Takes ownership of a descriptor.
    ///
    /// - Parameter isPrivate: whether `csystem_open_private` has opened it, so that a child made by fork() does not have it.
    package init(_ raw: Int32, at path: FilePath, isPrivate: Bool = false) {
        self.raw = raw
        self.path = path
        self.isPrivate = isPrivate
    }

    deinit {
        // Linux closes the descriptor even on EINTR, so a second call could close a reused one.
        if isPrivate { csystem_close_private(raw) } else { _ = close(raw) }
    }

    /// Opens a file without blocking, so that a pipe in a file's place cannot block the caller.
    package convenience init(file path: String, followingLinks: Bool = true) throws(Failure) {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
        self.init(try Self.call("openingFailed", FilePath(path)) { Glibc.open(path, flags) }, at: FilePath(path))
    }

    /// Opens a folder, after creating it with its missing parents if that is wanted.
    package convenience init(folder path: String, isCreated: Bool = false) throws(Failure) {
        if isCreated { try Self.makeFolders(path) }
        let flags = O_RDONLY | O_CLOEXEC | O_DIRECTORY
        self.init(try Self.call("openingFailed", FilePath(path)) { Glibc.open(path, flags) }, at: FilePath(path))
    }

    /// Opens a folder, or returns nil if there is none.
    package convenience init?(existingFolder path: String) throws(Failure) {
        let opened = try Self.attempt("openingFailed", FilePath(path), except: FileSystem.absence) {
            Glibc.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        }
        guard let opened else { return nil }
        self.init(opened, at: FilePath(path))
    }

    /// Opens an item by its path, or by its name in a folder; returns nil for the expected error numbers.
    ///
    /// - Parameter isPrivate: whether a child made by fork() does not get the file, so that no lock on it outlives this process.
    static func open(
        _ name: EntryName, in folder: Int32 = AT_FDCWD, at path: FilePath, _ flags: Int32, isPrivate: Bool = false,
        failing step: String = "openingFailed", except expected: [Int32]
    ) throws(Failure) -> Descriptor? {
        try attempt(step, path, except: expected) {
            isPrivate
                ? csystem_open_private(folder, name.bytes, flags) : openat(folder, name.bytes, flags | O_CLOEXEC)
        }.map { Descriptor($0, at: path, isPrivate: isPrivate) }
    }

    /// Makes a system call for a name in this folder, or for the file itself if there is no name.
    @discardableResult
    package func call<Result: SignedInteger>(
        _ reason: String, _ name: @autoclosure () -> String? = nil, _ body: (Int32) -> Result
    ) throws(Failure) -> Result {
        try Self.call(reason, place(name())) { body(raw) }
    }

    /// As ``call(_:_:_:)``, but some error numbers are expected, for which the result is nil.
    func attempt<Result: SignedInteger>(
        _ reason: String, _ name: @autoclosure () -> String? = nil, except expected: [Int32],
        _ body: (Int32) -> Result
    ) throws(Failure) -> Result? {
        try Self.attempt(reason, place(name()), except: expected) { body(raw) }
    }

    @discardableResult
    package static func call<Result: SignedInteger>(
        _ reason: String, _ path: @autoclosure () -> FilePath, other: FilePath? = nil, _ body: () -> Result
    ) throws(Failure) -> Result {
        // Without expected numbers, there is a result.
        try attempt(reason, path(), other: other, except: [], body) ?? -1
    }

    static func attempt<Result: SignedInteger>(
        _ reason: String, _ path: @autoclosure () -> FilePath, other: FilePath? = nil, except expected: [Int32],
        _ body: () -> Result
    ) throws(Failure) -> Result? {
        while true {
            let result = body()
            guard result == -1 else { return result }
            let number = errno
            if expected.contains(number) { return nil }
            guard number == EINTR else { throw Failure(errno: number, path: path(), other: other, step: reason) }
        }
    }

    func place(_ name: String?) -> FilePath { name.map(path.appending) ?? path }

    private static func makeFolders(_ path: String) throws(Failure) {
        var parent = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            parent += parent.isEmpty || parent.hasSuffix("/") ? name : "/" + name
            let made = parent
            // A parent may exist and forbid new folders; opening the folder will tell.
            _ = try attempt("creatingFolderFailed", FilePath(made), except: [EEXIST, EROFS, EACCES]) {
                mkdir(made, 0o755)
            }
        }
    }

    /// Reads into the start of a buffer. The result is smaller than the requested count only at the end of the file.
    package func read(into buffer: inout [UInt8], count: Int, at offset: UInt64) throws(Failure) -> Int {
        let wanted = min(count, buffer.count)
        var done = 0
        while done < wanted {
            let (position, rest) = (off_t(offset) + off_t(done), wanted - done)
            var span = buffer.mutableSpan
            var bytes = span.mutableBytes
            let got = try bytes.withUnsafeMutableBytes { (memory) throws(Failure) in
                try call("readingFailed") { pread($0, memory.baseAddress.map { $0 + done }, rest, position) }
            }
            if got == 0 { break }
            done += got
        }
        return done
    }

    /// Reads the whole content in pieces of at most 64 KiB.
    package func read(_ use: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var (count, offset) = (buffer.count, UInt64(0))
        while count == buffer.count {
            count = try read(into: &buffer, count: buffer.count, at: offset)
            buffer.withUnsafeBytes { use(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += UInt64(count)
        }
    }

    /// Returns the bytes from an offset, fewer where the file ends earlier.
    package func bytes(atMost limit: Int, at offset: UInt64 = 0) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        bytes.removeLast(limit - (try read(into: &bytes, count: limit, at: offset)))
        return bytes
    }

    /// Returns the next 64 KiB, or nil at the end of the file.
    package func next() throws(Failure) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = try call("readingFailed") { Glibc.read($0, &piece, piece.count) }
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
            guard content.count + piece.count <= limit else { throw Failure(errno: EFBIG, path: path.string) }
            content += piece
        }
        return content
    }

    /// Moves the offset for reading to the start.
    package func rewind() throws(Failure) { try call("readingFailed") { lseek($0, 0, SEEK_SET) } }

    /// Writes bytes at the file's offset.
    package func write(_ bytes: UnsafeRawBufferPointer, failing step: String = "writingFailed") throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try call(step) { Glibc.write($0, rest.baseAddress, rest.count) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    /// Writes bytes at the file's offset.
    package func append(_ bytes: [UInt8], failing step: String = "writingFailed") throws(Failure) {
        // The array's own function does not pass on typed errors.
        try bytes.withUnsafeBytes { memory in
            Result { () throws(Failure) in try write(memory, failing: step) }
        }.get()
    }

    /// Writes bytes at an offset.
    package func write(_ bytes: RawSpan, at offset: UInt64) throws(Failure) {
        try bytes.withUnsafeBytes { (memory) throws(Failure) in
            var done = 0
            while done < memory.count {
                let rest = UnsafeRawBufferPointer(rebasing: memory[done...])
                done += try call("writingFailed") {
                    pwrite($0, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
                }
            }
        }
    }

    /// Changes the length of the file.
    package func truncate(to size: UInt64) throws(Failure) { try call("writingFailed") { ftruncate($0, off_t(size)) } }

    /// Writes the file, or the entries of the folder, to the disk.
    package func sync() throws(Failure) { try call("syncingFailed") { fsync($0) } }

    /// Syncs the file system of this file or folder. Returns false if the system does not support that.
    package func syncFileSystem() throws(Failure) -> Bool {
        try attempt("syncingFailed", except: [ENOSYS]) { syncfs($0) } != nil
    }

    /// Starts writing the file to the disk without waiting. Errors are ignored, because a sync follows.
    package func startWriting() {
        // Pages that are being written cannot be dropped, so only the first half of this advice takes effect.
        _ = posix_fadvise(raw, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Sets the permission bits.
    package func setMode(_ mode: UInt16) throws(Failure) { try call("writingFailed") { fchmod($0, mode_t(mode)) } }

    /// The kind of the open item.
    package var item: FileSystem.Item { get throws(Failure) { FileSystem.Item(try status) } }

    var status: stat {
        get throws(Failure) {
            var status = stat()
            try call("readingAttributesFailed") { fstat($0, &status) }
            return status
        }
    }

    /// Locks the file, also against others of this process, until it is closed. Returns false if another one has locked it.
    ///
    /// A process that may only read the file cannot lock it.
    func tryLockWriting() throws(Failure) -> Bool {
        try attempt("lockingFailed", except: [EWOULDBLOCK, EACCES]) { csystem_lock($0, Int32(F_WRLCK)) } != nil
    }

    /// Locks the file or folder until the descriptor is closed. Returns false if it is locked by another one.
    ///
    /// - Parameter kind: `LOCK_SH` or `LOCK_EX`.
    package func tryLock(_ kind: Int32 = LOCK_EX) throws(Failure) -> Bool {
        try attempt("lockingFailed", except: [EWOULDBLOCK]) { flock($0, kind | LOCK_NB) } != nil
    }

    /// Removes the lock. Closing the descriptor is not enough: a child process has a copy of it until it starts its program.
    func unlock() { _ = flock(raw, LOCK_UN) }

    /// The exclusive use of a folder, which ends when the value is released.
    package final class Lock: Sendable {
        private let descriptor: Descriptor

        init(of descriptor: Descriptor) {
            self.descriptor = descriptor
        }

        deinit { descriptor.unlock() }
    }
}
