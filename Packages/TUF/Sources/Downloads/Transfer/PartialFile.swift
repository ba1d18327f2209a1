import Glibc
import HostSystem

extension Folder {
    /// Opens or creates a file that grows at its end, and locks it until the result is released; returns nil if another one has the lock.
    ///
    /// Only one process or task has the file at a time. When that process is killed, the next one finds all that was written.
    func lockedFile(_ name: String) throws(DownloadError) -> Folder? {
        while true {
            let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
            let file = try open(EntryName(name), flags, 0o644)
            guard try file.tryLock() else { return nil }
            guard case .file = try file.item else { throw DownloadError(errno: EINVAL, path: file.pathText) }
            // The last owner may have removed or renamed the file between the two calls above.
            if try has(file, as: EntryName(name)) { return file }
        }
    }
}
