import Glibc
package import PluginCore

extension FileSystem {
    /// The result of reading a file of limited size.
    package enum Contents {
        /// The whole content, and the file's stamp from before the first byte was read.
        case file([UInt8], FileStamp)
        /// The item isn't a regular file, or it is too large.
        case other
        case nothing
    }

    /// Reads a file of at most a given size, without ever blocking.
    ///
    /// - Parameter path: the path of the file, whose last component may not be a link.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file can't be read.
    package static func contents(of path: FilePath, limit: Int) throws(AtriumError) -> Contents {
        try contents(of: path, limit: limit) {
            open(path.string, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        }
    }

    /// Reads a file of at most a given size that a closure opens.
    static func contents(of path: FilePath, limit: Int, _ open: () -> Int32) throws(AtriumError) -> Contents {
        var number: Int32 = 0
        let opened = try OpenFile.attempt("openingFailed", path, except: absence + [ELOOP, ENXIO]) {
            let opened = open()
            number = errno
            return opened
        }
        guard let opened else { return isAbsence(number) ? .nothing : .other }
        let file = OpenFile(opened, at: path)
        guard case .file(let size, _) = try file.item, size <= limit else { return .other }
        let stamp = try FileStamp(file.raw, at: path)
        return .file(try file.bytes(atMost: Int(size)), stamp)
    }

    /// Reads a whole file of at most a given size.
    package static func bytes(of path: FilePath, limit: Int) throws(AtriumError) -> [UInt8] {
        if case .file(let bytes, _) = try contents(of: path, limit: limit) { return bytes }
        throw AtriumError(.inputOutput, path, reason: "notFileWithinLimit", ["limit": .integer(limit)])
    }

    /// Reads a file in chunks of at most 64 KiB.
    ///
    /// - Parameter isLinkFollowed: whether the path may be a link to a file.
    package static func read(
        _ path: FilePath, isLinkFollowed: Bool = true, _ use: (UnsafeRawBufferPointer) -> Void
    ) throws(AtriumError) {
        try OpenFile(file: path.string, followingLinks: isLinkFollowed).read(use)
    }

    /// The result of reading a file of an expected size below a folder.
    package enum ExpectedContents {
        /// The whole content.
        case file([UInt8])
        case otherSize(Int)
        /// The item isn't a regular file, or a component of the path is a link.
        case other
        case nothing
    }

    /// Reads a whole file below a folder through one descriptor.
    ///
    /// - Parameter name: a relative path, none of whose components may be a link.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file can't be read.
    package static func contents(
        below folder: FilePath, _ name: String, size expected: UInt64
    ) throws(AtriumError) -> ExpectedContents {
        let way = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if way.contains(where: ["", ".", ".."].contains) { return .other }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
        let place = try OpenFolder.open(EntryName(folder.string), at: folder, flags, except: [ENOENT, ELOOP, ENOTDIR])
        guard let place else { return try self.item(at: folder) == nil ? .nothing : .other }
        let (item, number) = place.below(way, isFolder: false)
        guard let file = item else {
            switch number {
            case ENOENT: return .nothing
            case ELOOP, ENOTDIR, ENXIO: return .other
            default: throw failure(reason: "openingFailed", folder.appending(name), number)
            }
        }
        guard case .file(let size, _) = try file.item else { return .other }
        return size == expected ? .file(try file.bytes(atMost: Int(size))) : .otherSize(Int(size))
    }
}
