#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// The name of something in a folder, byte by byte as the disk has it: it need not be UTF-8.
struct EntryName {
    /// With the zero at its end.
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

    /// What it is in UTF-8; `nil` for what nothing of ours is named.
    var text: String? { String(validating: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }
    /// For people: what is no UTF-8 is repaired.
    var words: String { String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }

    /// A Boolean value that indicates whether it is another name of the folder, or the one of the folder above.
    fileprivate var isStep: Bool { words == "." || words == ".." }
}

/// A folder that is open: what is done in it is done in this one, whatever lies at its path by now.
struct OpenFolder: ~Copyable {
    /// Which folder of which disk it is.
    struct Identity: Equatable {
        let device: dev_t
        let number: ino_t
    }

    let descriptor: Int32
    /// Where it lay when it was opened.
    let path: FilePath

    /// Takes over what is open, and closes it in the end.
    init(_ descriptor: Int32, at path: FilePath) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens a folder by its name in another one, or by its path from `AT_FDCWD`; never what a link of that name leads to.
    ///
    /// - Returns: `nil` with `errno`.
    static func open(_ name: EntryName, in folder: Int32, at path: FilePath) -> OpenFolder? {
        let descriptor = openat(folder, name.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        return descriptor < 0 ? nil : OpenFolder(descriptor, at: path)
    }

    /// Opens a folder in it; `nil` when there is none of that name by now.
    func opened(_ name: EntryName) throws(AtriumError) -> OpenFolder? {
        let path = self.path.appending(name.words)
        if let folder = Self.open(name, in: descriptor, at: path) { return folder }
        if errno == ENOENT || errno == ENOTDIR || errno == ELOOP { return nil }
        throw FileSystem.failure("opening it", path)
    }

    /// Looks up what has a name in it, without following a link; `nil` when nothing has.
    ///
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

    /// The names in it, sorted.
    func names() throws(AtriumError) -> [EntryName] {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let number = errno
            if copy >= 0 { close(copy) }
            throw FileSystem.failure("reading the folder", path, number)
        }
        defer { closedir(stream) }
        // The copy goes on where the last reader stopped.
        rewinddir(stream)
        return try Self.names(in: stream, at: path)
    }

    /// What a stream of entries still has to say.
    static func names(in stream: DirectoryStream, at path: FilePath) throws(AtriumError) -> [EntryName] {
        var names: [EntryName] = []
        while true {
            // Only `errno` tells the end from a failure.
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

    /// Removes what has a name in it, as ``FileSystem/free(_:)``.
    func free(_ name: EntryName) throws(AtriumError) -> Int64 {
        var removal = TreeRemoval(path.appending(name.words))
        try removal.remove(name, in: descriptor)
        return removal.freed
    }

    /// Which folder it is.
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
