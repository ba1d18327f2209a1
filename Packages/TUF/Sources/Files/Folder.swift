import Glibc

/// An open folder, whose files are read and replaced as a whole.
///
/// A reader finds either the old or the new content of a file, also after a power failure.
///
/// ```swift
/// let folder = try Folder(path: "metadata", isCreated: true)
/// try folder.replace("root.json", with: bytes)
/// let root = try folder.read("root.json", atMost: 512_000)
/// ```
public final class Folder: Sendable {
    private let descriptor: Descriptor

    /// The path with which the folder was opened.
    public var path: String { descriptor.path }

    /// Returns the folder and the name of a file with a path.
    public static func location(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - isCreated: A Boolean value that indicates whether a missing folder is created, with its parents.
    public init(path: String, isCreated: Bool = false) throws(FileError) {
        if isCreated { try Self.create(path) }
        descriptor = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
    }

    private static func create(_ path: String) throws(FileError) {
        var parent = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            parent += parent.isEmpty || parent.hasSuffix("/") ? name : "/" + name
            let made = parent
            do throws(FileError) {
                try systemCall(made) { mkdir(made, 0o755) }
            } catch {
                // A parent may exist and forbid new folders; opening the folder will tell.
                guard error.number == EEXIST || error.number == EROFS || error.number == EACCES else { throw error }
            }
        }
    }

    /// Returns the content of a file, or nil if there is no such file.
    ///
    /// - Throws: ``FileError``, with EFBIG for a file that is longer than the limit.
    public func read(_ name: String, atMost limit: Int) throws(FileError) -> [UInt8]? {
        guard let file = try open(name) else { return nil }
        var content: [UInt8] = []
        while let piece = try file.next() {
            guard content.count + piece.count <= limit else {
                throw FileError(path: descriptor.place(name), number: EFBIG)
            }
            content += piece
        }
        return content
    }

    /// Opens a file for reading it in pieces, or returns nil if there is no such file.
    public func open(_ name: String) throws(FileError) -> FilePieces? {
        do throws(FileError) {
            // Without blocking, so that a pipe in the file's place cannot block the caller.
            return FilePieces(of: try descriptor.open(name, O_RDONLY | O_NONBLOCK))
        } catch {
            if error.number == ENOENT { return nil }
            throw error
        }
    }

    /// Atomically creates or replaces a file.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - bytes: The new content.
    ///   - isPrivate: A Boolean value that indicates whether other users may not read the file.
    public func replace(_ name: String, with bytes: [UInt8], isPrivate: Bool = false) throws(FileError) {
        let file = try NewFile(in: self, isPrivate: isPrivate)
        try file.append(bytes)
        try file.commit(as: name)
    }

    /// Removes a file. Returns whether there was one.
    @discardableResult
    public func remove(_ name: String) throws(FileError) -> Bool {
        do throws(FileError) {
            try descriptor.call(name) { unlinkat($0, name, 0) }
            return true
        } catch {
            if error.number == ENOENT { return false }
            throw error
        }
    }

    /// Removes the temporary files of processes that were killed while they wrote.
    ///
    /// - Parameter age: The age in seconds from which a temporary file is no longer in use.
    public func removeLeftovers(olderThan age: Int) throws(FileError) {
        for name in try names(olderThan: age) where name.hasPrefix(".") && name.hasSuffix(NewFile.suffix) {
            try remove(name)
        }
    }

    /// Opens a folder in this one; returns nil for anything else, and for a link.
    public func subfolder(_ name: String) -> Folder? {
        (try? descriptor.open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)).map { Folder($0) }
    }

    private init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// The names of the files that have not changed for some seconds.
    public func names(olderThan age: Int) throws(FileError) -> [String] {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let limit = Int64(now.tv_sec).subtractingReportingOverflow(Int64(age)).partialValue
        return try names().filter { name in (try? status(of: name)).flatMap(\.self).map { $0.modified < limit } ?? false
        }
    }

    /// The names in the folder in alphabetical order, without those that are not UTF-8.
    public func names() throws(FileError) -> [String] { try descriptor.names() }

    /// Locks the folder until the result is released, or returns nil if another user of this call holds the lock.
    ///
    /// The folder itself is locked, so no file is created.
    public func tryLock() throws(FileError) -> FolderLock? {
        let own = try descriptor.open(".", O_RDONLY | O_DIRECTORY)
        return try own.tryLock() ? FolderLock(of: own) : nil
    }

    /// Creates a file that does not exist yet.
    func create(_ name: String, isPrivate: Bool) throws(FileError) -> Descriptor {
        try descriptor.open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: isPrivate ? 0o600 : 0o644)
    }

    /// The identity and the length of a file, or nil if there is no such file.
    func status(of name: String) throws(FileError) -> FileStatus? {
        var status = stat()
        do throws(FileError) {
            try descriptor.call(name) { fstatat($0, name, &status, AT_SYMLINK_NOFOLLOW) }
            return FileStatus(status)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Opens a file for reading and writing at its end. A missing one is created.
    func openPartial(_ name: String) throws(FileError) -> Descriptor {
        try descriptor.open(name, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Atomically replaces a file by another one.
    func rename(_ name: String, to newName: String, isSynced: Bool = true) throws(FileError) {
        try descriptor.call(newName) { renameat($0, name, $0, newName) }
        if isSynced { try descriptor.sync() }
    }

    /// Writes the files of all file systems to the disk, which costs less than syncing each of many files.
    public static func syncAll() {
        sync()
    }
}

/// The exclusive use of a folder, which ends when the value is released.
public final class FolderLock: Sendable {
    private let descriptor: Descriptor

    init(of descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing the descriptor is not enough: a child process has a copy of it until it starts its program.
        descriptor.unlock()
    }
}
