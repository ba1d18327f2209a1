internal import CSystem
import Glibc
package import PluginCore

extension OpenFolder {
    /// Opens a folder, which may not be a link; `nil` when it does not exist.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func open(_ path: FilePath) throws(AtriumError) -> OpenFolder? {
        if let folder = open(EntryName(path.string), in: AT_FDCWD, at: path) { return folder }
        if errno == ENOENT { return nil }
        throw FileSystem.failure(reason: "openingFailed", path)
    }

    /// Opens a subfolder, and creates it for this user alone if it does not exist.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable`, also for a link in its place, or `inputOutput`.
    package borrowing func making(_ name: EntryName) throws(AtriumError) -> OpenFolder {
        let path = self.path.appending(name.words)
        if mkdirat(descriptor, name.bytes, 0o700) == 0 {
            try sync()
        } else if errno != EEXIST {
            throw FileSystem.failure(reason: "creatingFolderFailed", path)
        }
        if let folder = Self.open(name, in: descriptor, at: path) { return folder }
        throw FileSystem.failure(reason: "openingFailed", path)
    }

    /// Reads a file of at most a given size, without following a link and without ever blocking.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file can't be read.
    package borrowing func contents(of name: EntryName, limit: Int) throws(AtriumError) -> FileSystem.Contents {
        let path = self.path.appending(name.words)
        return try FileSystem.contents(
            openat(descriptor, name.bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW), of: path, limit: limit)
    }

    /// Replaces a file atomically, as ``FileSystem/replace(_:with:mode:)`` does.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`. The old file is unchanged then.
    package borrowing func replace(
        _ name: EntryName, with bytes: [UInt8], mode: UInt32 = 0o600
    ) throws(AtriumError) {
        let (new, path) = (EntryName(".\(name.words).new"), self.path.appending(name.words))
        // An interrupted attempt may have left a file or a link there.
        unlink(new)
        do throws(AtriumError) {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
            try FileSystem.write(bytes, to: openat(descriptor, new.bytes, flags, mode_t(mode)), at: path)
            guard renameat(descriptor, new.bytes, descriptor, name.bytes) == 0 else {
                throw FileSystem.failure(reason: "movingFailed", path, other: self.path.appending(new.words))
            }
        } catch {
            unlink(new)
            throw error
        }
        try sync()
    }

    /// Removes a file, and writes that to the disk.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package borrowing func remove(_ name: EntryName) throws(AtriumError) {
        guard unlinkat(descriptor, name.bytes, 0) == 0 || errno == ENOENT else {
            throw FileSystem.failure(reason: "removingFailed", path.appending(name.words))
        }
        try sync()
    }

    /// Returns the stamps of the regular files in this folder and its subfolders, by relative path, without those whose names start with a
    /// dot.
    ///
    /// - Parameter depth: the number of levels of folders.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package borrowing func stamps(depth: Int) throws(AtriumError) -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for name in try names() {
            guard let text = name.text, !text.utf8.starts(with: ".".utf8) else { continue }
            switch try item(name) {
            case .file:
                if let stamp = try stamp(of: name) { stamps[text] = stamp }
            case .folder where depth > 1:
                guard let folder = try opened(name) else { continue }
                for (path, stamp) in try folder.stamps(depth: depth - 1) { stamps["\(text)/\(path)"] = stamp }
            case .folder, .link, .other, nil: break
            }
        }
        return stamps
    }

    /// Returns the stamp of an entry, without following a link; `nil` when it does not exist.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package borrowing func stamp(of name: EntryName) throws(AtriumError) -> FileStamp? {
        let now = FileStamp.now
        return try status(of: name).map { FileStamp($0, at: now) }
    }

    /// Writes the entries to the disk.
    borrowing func sync() throws(AtriumError) { try FileSystem.sync(descriptor, at: path) }
}
