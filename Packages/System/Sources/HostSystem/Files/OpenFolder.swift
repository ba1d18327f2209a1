import Glibc
package import PluginCore

/// An open folder of a sandbox.
package typealias OpenFolder = Descriptor<AtriumError>
/// An open file of a sandbox.
package typealias OpenFile = Descriptor<AtriumError>

extension AtriumError: SystemFailure {
    package init(errno: Int32, path: String) {
        self = FileSystem.failure(reason: "readingFailed", FilePath(path), errno)
    }

    package init(errno: Int32, path: FilePath, other: FilePath?, step: String) {
        self = FileSystem.failure(reason: step, path, errno, other: other)
    }
}

// Opening. All errors are those of ``FileSystem/failure(reason:_:_:other:)``.
extension OpenFolder {
    /// Opens a folder, which may not be a link; `nil` when it does not exist.
    package static func open(_ path: FilePath) throws(AtriumError) -> OpenFolder? {
        try open(EntryName(path.string), at: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, except: [ENOENT])
    }

    /// Opens a folder below another one, of which no link may be on the way; `nil` when either is not there.
    ///
    /// - Parameters:
    ///   - root: where the way begins; may lie behind a link.
    ///   - onFailure: is asked for a better error than the system's, once the way could not be taken.
    /// - Throws: what `onFailure` throws, and ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func open(
        _ path: FilePath, below root: FilePath, onFailure: () throws(AtriumError) -> Void
    ) throws(AtriumError) -> OpenFolder? {
        let start = try open(EntryName(root.string), at: root, O_RDONLY | O_DIRECTORY, except: [ENOENT])
        let way = path.way(from: root).map(\.lastComponent)
        guard let (folder, number) = start?.below(way, isFolder: true) else { return nil }
        if folder != nil || number == ENOENT { return folder }
        try onFailure()
        throw FileSystem.failure(reason: "openingFailed", path, number)
    }

    /// Opens an item below this folder, one component after the other, because none may be a link.
    ///
    /// - Returns: the item, or the error number of the component that cannot be opened.
    func below(_ way: [String], isFolder: Bool) -> (item: OpenFolder?, errno: Int32) {
        var place = self
        for (index, name) in way.enumerated() {
            let isFolder = isFolder || index < way.count - 1
            let next = openat(
                place.raw, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | (isFolder ? O_DIRECTORY : 0))
            if next < 0 { return (nil, errno) }
            place = OpenFolder(next, at: place.path.appending(name))
        }
        return (place, 0)
    }

    /// Opens a subfolder.
    ///
    /// - Returns: `nil` when no folder has that name any longer.
    package func opened(_ name: EntryName) throws(AtriumError) -> OpenFolder? {
        try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, except: [ENOENT, ENOTDIR, ELOOP])
    }

    /// Opens a subfolder, and creates it for this user alone if it does not exist.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable`, also for a link in its place, or `inputOutput`.
    package func making(_ name: EntryName) throws(AtriumError) -> OpenFolder {
        let made = try attempt("creatingFolderFailed", name.words, except: [EEXIST]) {
            mkdirat($0, name.bytes, 0o700)
        }
        if made != nil { try sync() }
        return try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    }

    /// Opens an open file once more.
    package convenience init(copying descriptor: Int32, at path: FilePath) {
        self.init(fcntl(descriptor, F_DUPFD_CLOEXEC, 0), at: path)
    }

    /// Opens a file with the given permission bits; `nil` for anything else, a link too. Never waits.
    package convenience init?(_ path: FilePath, mode: UInt16) {
        let file = Glibc.open(path.string, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        self.init(file, at: path)
        guard case .file(_, mode)? = try? item else { return nil }
    }
}

// Reading and changing. All errors are those of ``FileSystem/failure(reason:_:_:other:)``.
extension OpenFolder {
    /// Reads a file of at most a given size, without following a link and without ever blocking.
    package func contents(of name: EntryName, limit: Int) throws(AtriumError) -> FileSystem.Contents {
        try FileSystem.contents(of: place(name.words), limit: limit) {
            openat(raw, name.bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        }
    }

    /// Replaces a file atomically: after any interruption, either the old or the new content is on the disk in full.
    ///
    /// The new content is written to `.<name>.new`, a name that no bundle can have. Only one caller may replace a file at a time.
    ///
    /// - Parameter mode: the permission bits of the new file.
    package func replace(_ name: EntryName, with bytes: [UInt8], mode: UInt32 = 0o600) throws(AtriumError) {
        let new = ".\(name.words).new"
        // An interrupted attempt may have left a file or a link there.
        unlink(EntryName(new))
        let file = try NewFile(in: self, named: new, mode: mode_t(mode))
        try file.append(bytes)
        try file.commit(as: name.words)
    }

    /// Renames an entry; nothing happens when it has gone.
    package func rename(_ name: EntryName, to new: EntryName) { renameat(raw, name.bytes, raw, new.bytes) }

    /// Removes a file; nothing happens when it has gone.
    package func unlink(_ name: EntryName) { unlinkat(raw, name.bytes, 0) }

    /// Returns whether this file can have one more name in a folder, by giving it one and removing that.
    package func canHaveName(in folder: FilePath) -> Bool {
        guard let folder = try? OpenFolder(folder: folder.string), folder.link(raw, as: ".link") else { return false }
        folder.unlink(EntryName(".link"))
        return true
    }

    /// Returns another descriptor of this file, which the caller closes.
    package func takeDescriptor() -> Int32 { fcntl(raw, F_DUPFD_CLOEXEC, 0) }

    /// Returns the stamp of an entry, without following a link; `nil` when it does not exist.
    package func stamp(of name: EntryName) throws(AtriumError) -> FileStamp? {
        let now = FileStamp.now
        return try status(of: name).map { FileStamp($0, at: now) }
    }
}

extension FileSystem {
    /// Replaces a file atomically, as ``OpenFolder/replace(_:with:mode:)`` does.
    ///
    /// - Parameter mode: the permission bits of the new file.
    package static func replace(_ path: FilePath, with bytes: [UInt8], mode: UInt32 = 0o600) throws(AtriumError) {
        try OpenFolder(folder: path.parent.string).replace(EntryName(path.lastComponent), with: bytes, mode: mode)
    }
}
