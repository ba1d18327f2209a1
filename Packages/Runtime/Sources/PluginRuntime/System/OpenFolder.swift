#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// The name of a folder entry as the bytes on the disk, which need not be UTF-8.
struct EntryName {
    /// The bytes of the name, with the terminating zero.
    let bytes: [CChar]

    init(_ name: String) {
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
    var text: String? { String(validating: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }
    /// The name for messages, with invalid UTF-8 repaired.
    var words: String { String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }

    /// A Boolean value that indicates whether the entry is the folder itself or its parent.
    fileprivate var isStep: Bool { words == "." || words == ".." }
}

/// An open folder; its operations act on this folder even if another item has taken its path.
struct OpenFolder: ~Copyable {
    /// The identity of a folder: its device and inode.
    struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
    }

    let descriptor: Int32
    /// The path at which the folder was opened.
    let path: FilePath

    /// Takes ownership of a descriptor, and closes it at the end.
    init(_ descriptor: Int32, at path: FilePath) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens a folder by its name in another folder, without following a link.
    ///
    /// - Returns: `nil` with `errno` set when that fails.
    static func open(_ name: EntryName, in folder: Int32, at path: FilePath) -> OpenFolder? {
        let descriptor = openat(folder, name.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        return descriptor < 0 ? nil : OpenFolder(descriptor, at: path)
    }

    /// Opens a subfolder.
    ///
    /// - Returns: `nil` when no folder has that name any longer.
    func opened(_ name: EntryName) throws(AtriumError) -> OpenFolder? {
        let path = self.path.appending(name.words)
        if let folder = Self.open(name, in: descriptor, at: path) { return folder }
        if errno == ENOENT || errno == ENOTDIR || errno == ELOOP { return nil }
        throw FileSystem.failure("opening it", path)
    }

    /// Looks up an entry, without following a link.
    ///
    /// - Returns: `nil` when no entry has that name.
    /// - Throws: as ``FileSystem/status(of:)``.
    func item(_ name: EntryName) throws(AtriumError) -> FileSystem.Item? {
        var status = stat()
        while fstatat(descriptor, name.bytes, &status, AT_SYMLINK_NOFOLLOW) != 0 {
            let number = errno
            if number == EINTR { continue }
            if FileSystem.isAbsence(number) { return nil }
            throw FileSystem.failure("looking for it", path.appending(name.words), number)
        }
        return FileSystem.Item(status)
    }

    /// Returns the names of the entries, sorted.
    func names() throws(AtriumError) -> [EntryName] {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let number = errno
            if copy >= 0 { close(copy) }
            throw FileSystem.failure("reading the folder", path, number)
        }
        defer { closedir(stream) }
        // The duplicated descriptor shares the read position of earlier readers.
        rewinddir(stream)
        return try Self.names(in: stream, at: path)
    }

    /// Returns the names of the remaining entries of a directory stream, sorted.
    static func names(in stream: DirectoryStream, at path: FilePath) throws(AtriumError) -> [EntryName] {
        var names: [EntryName] = []
        while true {
            // Only `errno` distinguishes the end from a failure.
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = EntryName(entry)
            if !name.isStep { names.append(name) }
        }
        guard errno == 0 else { throw FileSystem.failure("reading the folder", path) }
        return names.sorted {
            $0.bytes.lexicographicallyPrecedes($1.bytes) { UInt8(bitPattern: $0) < UInt8(bitPattern: $1) }
        }
    }

    /// Removes an entry with all of its contents, and returns the total size of the removed files in bytes.
    func free(_ name: EntryName) throws(AtriumError) -> Int64 {
        var removal = TreeRemoval(path.appending(name.words))
        try removal.remove(name, in: descriptor)
        return removal.freed
    }

    /// Returns the identity of the folder.
    func identity() throws(AtriumError) -> Identity {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileSystem.failure("looking at it", path) }
        return Identity(device: status.st_dev, number: status.st_ino)
    }
}

#if canImport(Glibc)
    typealias DirectoryStream = OpaquePointer
#else
    typealias DirectoryStream = UnsafeMutablePointer<DIR>
#endif
