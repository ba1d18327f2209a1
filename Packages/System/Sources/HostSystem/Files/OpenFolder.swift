internal import CSystem
import Glibc
package import PluginCore

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

    /// Returns the remaining entries of a directory stream but the folder itself and its parent, sorted; `nil` with `errno` set on failure.
    static func all(in stream: DirectoryStream) -> [EntryName]? {
        var names: [EntryName] = []
        while true {
            // Only `errno` distinguishes the end from a failure.
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = EntryName(entry)
            if name.words != ".", name.words != ".." { names.append(name) }
        }
        guard errno == 0 else { return nil }
        return names.sorted {
            $0.bytes.lexicographicallyPrecedes($1.bytes) { UInt8(bitPattern: $0) < UInt8(bitPattern: $1) }
        }
    }
}

/// An open folder; its operations act on this folder even if another item has taken its path.
package struct OpenFolder: ~Copyable {
    /// The identity of a folder: its device and inode.
    struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
    }

    package let descriptor: Int32
    /// The path at which the folder was opened.
    package let path: FilePath

    /// Takes ownership of a descriptor, and closes it at the end.
    package init(_ descriptor: Int32, at path: FilePath) {
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

    /// Opens a folder below another one, of which no link may be on the way; `nil` when either is not there.
    ///
    /// - Parameters:
    ///   - root: where the way begins; may lie behind a link.
    ///   - way: the names of the folders that lead to it.
    ///   - onFailure: is asked for a better error than the system's, once the way could not be taken.
    /// - Throws: what `onFailure` throws, and ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func open(
        _ path: FilePath, below root: FilePath, by way: [String], onFailure: () throws(AtriumError) -> Void
    ) throws(AtriumError) -> OpenFolder? {
        let start = Glibc.open(root.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard start >= 0 else {
            if errno == ENOENT { return nil }
            throw FileSystem.failure(reason: "openingFailed", root)
        }
        defer { close(start) }
        let descriptor = csystem_open_below(start, way.joined(separator: "/"))
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT { return nil }
            try onFailure()
            throw FileSystem.failure(reason: "openingFailed", path, number)
        }
        return OpenFolder(descriptor, at: path)
    }

    /// Opens a subfolder.
    ///
    /// - Returns: `nil` when no folder has that name any longer.
    package func opened(_ name: EntryName) throws(AtriumError) -> OpenFolder? {
        let path = self.path.appending(name.words)
        if let folder = Self.open(name, in: descriptor, at: path) { return folder }
        if errno == ENOENT || errno == ENOTDIR || errno == ELOOP { return nil }
        throw FileSystem.failure(reason: "openingFailed", path)
    }

    /// Looks up an entry, without following a link.
    ///
    /// - Returns: `nil` when no entry has that name.
    /// - Throws: as ``FileSystem/status(of:)``.
    package func item(_ name: EntryName) throws(AtriumError) -> FileSystem.Item? {
        try status(of: name).map(FileSystem.Item.init)
    }

    /// Looks up the status of an entry, without following a link; `nil` when no entry has that name.
    ///
    /// - Throws: as ``FileSystem/status(of:)``.
    func status(of name: EntryName) throws(AtriumError) -> stat? {
        var status = stat()
        while fstatat(descriptor, name.bytes, &status, AT_SYMLINK_NOFOLLOW) != 0 {
            let number = errno
            if number == EINTR { continue }
            if FileSystem.isAbsence(number) { return nil }
            throw FileSystem.failure(reason: "findingFailed", path.appending(name.words), number)
        }
        return status
    }

    /// Returns the names of the entries, sorted.
    package func names() throws(AtriumError) -> [EntryName] {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let number = errno
            if copy >= 0 { close(copy) }
            throw FileSystem.failure(reason: "readingFolderFailed", path, number)
        }
        defer { closedir(stream) }
        // The duplicated descriptor shares the read position of earlier readers.
        rewinddir(stream)
        return try Self.names(in: stream, at: path)
    }

    /// Returns the names of the remaining entries of a directory stream, sorted.
    static func names(in stream: DirectoryStream, at path: FilePath) throws(AtriumError) -> [EntryName] {
        guard let names = EntryName.all(in: stream) else {
            throw FileSystem.failure(reason: "readingFolderFailed", path)
        }
        return names
    }

    /// Removes an entry with all of its contents, and returns the total size of the removed files in bytes.
    package func free(_ name: EntryName) throws(AtriumError) -> Int64 {
        var removal = TreeRemoval(path.appending(name.words))
        try removal.remove(name, in: descriptor)
        return removal.freed
    }

    /// Gives what has a name in it another name there; nothing happens when it has gone.
    package func rename(_ name: EntryName, to new: EntryName) {
        renameat(descriptor, name.bytes, descriptor, new.bytes)
    }

    /// Removes a file from it; nothing happens when it has gone.
    package func unlink(_ name: EntryName) { unlinkat(descriptor, name.bytes, 0) }

    /// Returns the time when an entry was last written, in seconds since 1970, or the current time when it is unknown.
    package func modified(_ name: EntryName) -> Int64 {
        var status = stat()
        guard fstatat(descriptor, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return Clock.now() }
        return Int64(status.st_mtim.tv_sec)
    }

    /// Returns the identity of the folder.
    func identity() throws(AtriumError) -> Identity {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileSystem.failure(reason: "readingAttributesFailed", path) }
        return Identity(device: status.st_dev, number: status.st_ino)
    }
}

typealias DirectoryStream = OpaquePointer
