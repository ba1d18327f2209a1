import Glibc
import PluginCore

// The items in an open folder. Opening a symbolic link fails, unless a function says otherwise.
extension Descriptor {
    /// Opens a file of the folder.
    package func openFile(_ name: String) throws(Failure) -> Descriptor {
        try open(EntryName(name), O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    }

    /// Opens a file of the folder, which may be behind a link, or returns nil if there is no such file.
    package func file(_ name: String) throws(Failure) -> Descriptor? {
        try open(EntryName(name), O_RDONLY | O_NONBLOCK, except: FileSystem.absence)
    }

    /// Opens a subfolder.
    package func openFolder(_ name: String) throws(Failure) -> Descriptor {
        try open(EntryName(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    }

    /// Creates a file. It fails with EEXIST if the name exists, even as a dangling link.
    package func createFile(_ name: String, mode: UInt32 = 0o600) throws(Failure) -> Descriptor {
        try open(EntryName(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode, failing: "creatingFailed")
    }

    /// Opens an item of the folder.
    package func open(
        _ name: EntryName, _ flags: Int32, _ mode: UInt32 = 0, failing step: String = "openingFailed"
    ) throws(Failure) -> Descriptor {
        Descriptor(
            try call(step, name.words) { openat($0, name.bytes, flags | O_CLOEXEC, mode) }, at: place(name.words))
    }

    /// Opens an item of the folder, or returns nil for the expected error numbers.
    func open(_ name: EntryName, _ flags: Int32, except expected: [Int32]) throws(Failure) -> Descriptor? {
        try Self.open(name, in: raw, at: place(name.words), flags, except: expected)
    }

    /// Returns the content of a file, or nil if there is no such file.
    ///
    /// - Throws: the error of EFBIG for more than `limit` bytes.
    package func read(_ name: String, atMost limit: Int) throws(Failure) -> [UInt8]? {
        try file(name)?.content(atMost: limit)
    }

    /// Atomically creates or replaces a file: after any interruption, either the old or the new content is on the disk in full.
    package func replace(_ name: String, with bytes: [UInt8], isPrivate: Bool = false) throws(Failure) {
        let file = try NewFile(in: self, isPrivate: isPrivate)
        try file.append(bytes)
        try file.commit(as: name)
    }

    /// Creates a folder for this user alone.
    package func makeFolder(_ name: String) throws(Failure) {
        try call("creatingFolderFailed", name) { mkdirat($0, name, 0o700) }
    }

    /// Removes a file. Returns whether there was one.
    @discardableResult
    package func remove(_ name: String) throws(Failure) -> Bool {
        try attempt("removingFailed", name, except: FileSystem.absence) { unlinkat($0, name, 0) } != nil
    }

    /// Removes an empty folder.
    package func removeFolder(_ name: String) throws(Failure) {
        try call("removingFailed", name) { unlinkat($0, name, AT_REMOVEDIR) }
    }

    /// Renames a file and atomically replaces an existing one.
    package func rename(_ name: String, to newName: String) throws(Failure) {
        try Self.call("movingFailed", place(newName), other: place(name)) { renameat(raw, name, raw, newName) }
    }

    /// Links an open file into this folder. Returns false if that is not possible.
    ///
    /// The reasons are another file system, too many links, or a missing `/proc`.
    package func link(_ file: Int32, as name: String) -> Bool {
        linkat(AT_FDCWD, "/proc/self/fd/\(file)", raw, name, AT_SYMLINK_FOLLOW) == 0
    }

    /// Returns the text of a symbolic link, or nil for anything else.
    package func target(ofLink name: String) throws(Failure) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try attempt("findingFailed", name, except: [EINVAL, ENOENT]) {
            readlinkat($0, name, &text, text.count)
        }
        return count.map { String(decoding: text.prefix($0).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }

    /// Returns the kind of an item without following a symbolic link, or nil if it does not exist.
    package func item(_ name: String) throws(Failure) -> FileSystem.Item? { try item(EntryName(name)) }

    /// Returns the kind of an item without following a symbolic link, or nil if it does not exist.
    package func item(_ name: EntryName) throws(Failure) -> FileSystem.Item? {
        try status(of: name).map(FileSystem.Item.init)
    }

    /// Looks up the status of an entry, without following a link; `nil` when no entry has that name.
    func status(of name: EntryName) throws(Failure) -> stat? {
        var status = stat()
        let found = try attempt("findingFailed", name.words, except: FileSystem.absence) {
            fstatat($0, name.bytes, &status, AT_SYMLINK_NOFOLLOW)
        }
        return found.map { _ in status }
    }

    /// Returns whether an open file is the entry of a name.
    package func has(_ file: Descriptor, as name: EntryName) throws(Failure) -> Bool {
        try status(of: name)?.isSameItem(as: file.status) ?? false
    }

    /// The names in the folder, sorted.
    package func names() throws(Failure) -> [EntryName] {
        // Another descriptor, because the stream takes ownership of it and changes the offset.
        try Self.names(at: path) { openat(raw, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY) }
    }

    /// The sorted names in a folder that a closure opens.
    static func names(at path: FilePath, _ open: () -> Int32) throws(Failure) -> [EntryName] {
        let own = try call("readingFolderFailed", path, open)
        guard let stream = fdopendir(own) else {
            let number = errno
            close(own)
            throw Failure(errno: number, path: path, other: nil, step: "readingFolderFailed")
        }
        defer { closedir(stream) }
        var names: [EntryName] = []
        while true {
            // Only `errno` distinguishes the end from a failure.
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = EntryName(entry)
            if name.words != ".", name.words != ".." { names.append(name) }
        }
        guard errno == 0 else { throw Failure(errno: errno, path: path, other: nil, step: "readingFolderFailed") }
        return names.sorted {
            $0.bytes.lexicographicallyPrecedes($1.bytes) { UInt8(bitPattern: $0) < UInt8(bitPattern: $1) }
        }
    }

    /// Returns the time when an entry was last written, in seconds since 1970, or the current time when it is unknown.
    package func modified(_ name: EntryName) -> Int64 {
        (try? status(of: name)).map { Int64($0.st_mtim.tv_sec) } ?? Clock.now()
    }

    /// The names of the files that have not changed for some seconds.
    package func names(olderThan age: Int) throws(Failure) -> [String] {
        let limit = Clock.now() &- Int64(age)
        return try names().filter { modified($0) < limit }.compactMap(\.text)
    }

    /// Removes the temporary files of processes that were killed while they wrote.
    ///
    /// - Parameter age: The age in seconds from which a temporary file is no longer in use.
    package func removeLeftovers(olderThan age: Int) throws(Failure) {
        for name in try names(olderThan: age) where NewFile<Failure>.isTemporary(name) { try remove(name) }
    }

    /// Locks the folder until the result is released, or returns nil if another user of this call holds the lock.
    ///
    /// The folder itself is locked, so no file is created.
    package func lock() throws(Failure) -> Lock? {
        let own = try openFolder(".")
        return try own.tryLock() ? Lock(of: own) : nil
    }
}

/// The name of a folder entry as the bytes on the disk, which need not be UTF-8.
package struct EntryName {
    /// The bytes of the name, with the terminating zero.
    package let bytes: [CChar]

    package init(_ name: String) {
        bytes = Array(name.utf8CString)
    }

    fileprivate init(_ entry: UnsafeMutablePointer<dirent>) {
        bytes = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) {
                Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
            }
        }
    }

    /// The name as a string; `nil` when it isn't UTF-8, as no name that Atrium creates.
    package var text: String? { String(validating: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }
    /// The name for messages, with invalid UTF-8 repaired.
    package var words: String { String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }
}

extension stat {
    /// The kind of item, such as `S_IFREG`.
    var kind: mode_t { st_mode & S_IFMT }

    /// Returns whether two items are one: the same entry of the same device.
    func isSameItem(as other: stat) -> Bool { st_ino == other.st_ino && st_dev == other.st_dev }
}
