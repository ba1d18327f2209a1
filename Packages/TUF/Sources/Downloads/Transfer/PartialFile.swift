import Glibc
internal import HTTPTransfer
internal import HostSystem

/// A file that grows at its end until it is complete, also in several processes one after another.
///
/// Only one process or task has the file at a time. When that process is killed, the next one finds all that was written.
///
/// ```swift
/// if let partial = try PartialFile.lock(".shop.zip.partial", in: folder) {
///     try partial.file.write(piece)
///     try partial.commit(as: "shop.zip")
/// }
/// ```
final class PartialFile: Sendable {
    private let folder: Folder
    private let name: String
    /// The open file.
    let file: Folder

    private init(_ file: Folder, name: String, in folder: Folder) {
        self.file = file
        self.name = name
        self.folder = folder
    }

    /// Opens or creates a file and locks it until the result is released, or returns nil if another one holds the lock.
    static func lock(_ name: String, in folder: Folder) throws(DownloadError) -> PartialFile? {
        while true {
            let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
            let file = try folder.open(EntryName(name), flags, 0o644)
            guard try file.tryLock() else { return nil }
            guard case .file = try file.item else { throw DownloadError(errno: EINVAL, path: file.pathText) }
            // The last owner may have removed or renamed the file between the two calls above.
            if try folder.has(file, as: EntryName(name)) { return PartialFile(file, name: name, in: folder) }
        }
    }

    /// Removes the file.
    func remove() throws(DownloadError) { try folder.remove(name) }

    /// Writes the file to the disk and gives it its final name, in place of an existing file.
    func commit(as newName: String) throws(DownloadError) {
        try file.sync()
        try folder.rename(name, to: newName)
        try folder.sync()
    }
}
