internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// The one door to the file system: thin calls that handle `EINTR` and turn `errno` into an ``AtriumError``.
enum FileSystem {
    /// The kind of a directory entry.
    enum Item {
        /// A regular file, with its size in bytes and its permission bits.
        case file(size: Int64, mode: UInt16)
        case folder
        case link
        case other

        init(_ status: stat) {
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                self = .file(
                    size: Int64(status.st_size), mode: UInt16(truncatingIfNeeded: status.st_mode & 0o7777))
            case S_IFDIR: self = .folder
            case S_IFLNK: self = .link
            default: self = .other
            }
        }
    }

    /// Looks up the status of a path, without following a link.
    ///
    /// Absent is an answer, unreadable is none: `nil` means that nothing is there, and whatever leaves that open is thrown, so that
    /// nothing is treated as missing because it couldn't be looked at. See Documentation/Decisions/0020-unreadable-is-not-absent.md.
    ///
    /// - Parameter absence: the error numbers that mean that nothing is there.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    static func status(of path: FilePath, absence: [Int32] = absence) throws(AtriumError) -> stat? {
        var status = stat()
        while lstat(path.string, &status) != 0 {
            let number = errno
            if number == EINTR { continue }
            if absence.contains(number) { return nil }
            throw failure("looking for it", path, number)
        }
        return status
    }

    /// Looks up the status of an open file.
    ///
    /// - Parameter path: for messages.
    /// - Throws: as ``status(of:)``.
    static func status(of descriptor: Int32, at path: FilePath) throws(AtriumError) -> stat {
        var status = stat()
        while fstat(descriptor, &status) != 0 {
            guard errno == EINTR else { throw failure("looking at it", path) }
        }
        return status
    }

    /// The error numbers of a failed lookup that mean that nothing has the path: no entry, or a file on the way to it.
    static let absence = [ENOENT, ENOTDIR]

    /// Returns whether the error number of a failed lookup means that nothing has the path.
    static func isAbsence(_ number: Int32) -> Bool { absence.contains(number) }

    /// Looks up what is at a path, without following a link; `nil` when nothing is there.
    ///
    /// - Throws: as ``status(of:)``.
    static func item(at path: FilePath) throws(AtriumError) -> Item? {
        try status(of: path).map(Item.init)
    }

    /// Returns whether a folder is at a path, without following a link.
    ///
    /// - Throws: as ``status(of:)``.
    static func isFolder(_ path: FilePath) throws(AtriumError) -> Bool {
        if case .folder = try item(at: path) { true } else { false }
    }

    /// Returns whether a regular file is at a path, without following a link.
    ///
    /// - Throws: as ``status(of:)``.
    static func isFile(_ path: FilePath) throws(AtriumError) -> Bool {
        if case .file = try item(at: path) { true } else { false }
    }

    /// Makes a folder and those above it; returns the ones that were not there, outermost first.
    @discardableResult
    static func makeFolders(_ path: FilePath, patience: Int = 20) throws(AtriumError) -> [FilePath] {
        let missing = try missingFolders(path)
        for folder in missing where mkdir(folder.string, 0o755) != 0 && errno != EEXIST {
            let number = errno
            let error = failure("making the folder", folder)
            removeIfEmpty(missing)
            // Another process may have removed the folder above since it was looked for, because nothing was in it.
            guard number == ENOENT, patience > 0 else { throw error }
            return try makeFolders(path, patience: patience - 1)
        }
        return missing
    }

    /// A folder and those above it, as far as they are not there, outermost first.
    ///
    /// - Throws: as ``status(of:)``.
    static func missingFolders(_ path: FilePath) throws(AtriumError) -> [FilePath] {
        var missing: [FilePath] = []
        var place = path
        while try item(at: place) == nil, place.string != "/", place.string != "." {
            missing.insert(place, at: 0)
            place = place.parent
        }
        return missing
    }

    /// The names in a folder, sorted; what is no UTF-8 is repaired.
    static func names(in folder: FilePath) throws(AtriumError) -> [String] {
        guard let stream = opendir(folder.string) else { throw failure("reading the folder", folder) }
        defer { closedir(stream) }
        return try OpenFolder.names(in: stream, at: folder).map(\.words)
    }

    static func rename(_ source: FilePath, to target: FilePath) throws(AtriumError) {
        #if canImport(Glibc)
            let status = Glibc.rename(source.string, target.string)
        #else
            let status = Darwin.rename(source.string, target.string)
        #endif
        guard status == 0 else { throw failure("moving \(source) there", target) }
    }

    /// Gives a file a second name; where that cannot be, because it is a folder or the file system has none, another one.
    static func giveName(_ name: FilePath, to path: FilePath) throws(AtriumError) {
        if link(path.string, name.string) == 0 { return }
        guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { throw failure("naming \(path) so", name) }
        try rename(path, to: name)
    }

    /// Swaps two folders, in one step where the file system can.
    static func exchange(_ one: FilePath, _ other: FilePath) throws(AtriumError) {
        if csystem_exchange(one.string, other.string) == 0 { return }
        guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw failure("exchanging it with \(one)", other) }
        let aside = FilePath(one.string + ".aside")
        try rename(other, to: aside)
        do throws(AtriumError) {
            try rename(one, to: other)
        } catch {
            try? rename(aside, to: other)
            throw error
        }
        try rename(aside, to: one)
    }

    /// Waits until the folder's entries are on the disk.
    static func sync(_ folder: FilePath) throws(AtriumError) {
        let descriptor = open(folder.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("opening it", folder) }
        defer { close(descriptor) }
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw failure("syncing it", folder) }
        }
    }

    /// Waits until new folders are on the disk, which is written in the folders around them.
    static func sync(made folders: [FilePath]) throws(AtriumError) {
        for parent in Set(folders.map(\.parent.string)) { try sync(FilePath(parent)) }
    }

    /// Removes those of some folders that are empty; the outer ones come before the inner ones.
    static func removeIfEmpty(_ folders: [FilePath]) {
        for folder in folders.reversed() { rmdir(folder.string) }
    }

    /// The sum of all files below a path, in bytes.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when one can't be looked at.
    static func size(of path: FilePath) throws(AtriumError) -> Int64 {
        switch try item(at: path) {
        case .file(let size, _): return size
        case .folder:
            var sum: Int64 = 0
            for name in try names(in: path) { sum += try size(of: path.appending(name)) }
            return sum
        case .link, .other, nil: return 0
        }
    }

    /// Reads a file piece by piece, at most 64 KiB each.
    ///
    /// - Parameter isLinkFollowed: whether a link to a file will do.
    static func read(
        _ path: FilePath, isLinkFollowed: Bool = true, _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(AtriumError) {
        // Never waits, not even for a pipe that took the file's place.
        let descriptor = open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isLinkFollowed ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw failure("opening it", path) }
        defer { close(descriptor) }
        try read(descriptor, of: path, use)
    }

    /// Reads an open file from its start, piece by piece.
    static func read(
        _ descriptor: Int32, of path: FilePath, _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(AtriumError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var offset = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("reading it", path) }
            if count == 0 { return }
            use(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += count
        }
    }

    /// Where a file lies that a link may lead to; the path itself when nothing is there.
    static func resolved(_ path: FilePath) -> FilePath {
        var real = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard realpath(path.string, &real) != nil else { return path }
        return FilePath(String(decoding: real.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// All bytes of a file of at most `limit` bytes.
    static func bytes(of path: FilePath, limit: Int) throws(AtriumError) -> [UInt8] {
        guard case .file(let size, _) = try item(at: path), size <= limit else {
            throw AtriumError(.inputOutput, path.string, detail: "it is no file of at most \(limit) bytes")
        }
        var bytes: [UInt8] = []
        try read(path) { bytes += $0 }
        return bytes
    }

    /// The error for the `errno` of the call just made. What the sandbox's owner can mend is told apart.
    ///
    /// - Parameters:
    ///   - attempt: what was tried, as a noun: `opening it`.
    ///   - number: what `errno` was, where another call has been made since.
    static func failure(_ attempt: String, _ path: FilePath, _ number: Int32 = errno) -> AtriumError {
        let denied = [EACCES, EPERM, EROFS, ENOTDIR, ELOOP, ENAMETOOLONG].contains(number)
        return AtriumError(
            denied ? .sandboxUnwritable : .inputOutput, path.string, detail: "\(attempt) failed: \(message(number))")
    }

    /// Returns whether an error number says that there is no space, on the disk or in the user's share of it.
    static func isStorageFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }

    /// The system's words for an error number.
    static func message(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
