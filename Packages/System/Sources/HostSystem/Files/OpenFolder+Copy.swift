internal import CSystem
import Glibc
package import PluginCore

/// The copying of a folder with all of its contents: files, folders and links, with their permissions and times of change.
///
/// Pipes, sockets and devices are left out.
extension OpenFolder {
    /// The number of levels of folders that can be copied, each of which needs two open files.
    package static let mostLevels = 128

    /// Returns the number of bytes that the files in the folder occupy on the disk.
    ///
    /// - Parameter excluded: relative paths of entries that do not count.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`, also for a folder with more than 128 levels.
    package borrowing func occupied(
        leavingOut excluded: Set<String> = [], levels: Int = mostLevels
    ) throws(AtriumError) -> UInt64 {
        var sum: UInt64 = 0
        for name in try names() where !excluded.contains(name.words) {
            guard let status = try status(of: name) else { continue }
            sum += UInt64(clamping: status.st_blocks) * 512
            guard status.st_mode & S_IFMT == S_IFDIR, let inner = try opened(name) else { continue }
            let below = Self.paths(excluded, below: name)
            sum += try inner.occupied(leavingOut: below, levels: Self.next(levels, at: inner.path))
        }
        return sum
    }

    /// Copies all contents into another folder, and writes them to the disk. Files share their blocks where the file system can do that.
    ///
    /// - Parameter excluded: relative paths of entries that are not copied.
    /// - Throws: ``AtriumError`` with code `inputOutput`, `storageFull` or `sandboxUnwritable`. What was copied before stays.
    package borrowing func copyContents(
        to target: borrowing OpenFolder, leavingOut excluded: Set<String> = [], levels: Int = mostLevels
    ) throws(AtriumError) {
        for name in try names() where !excluded.contains(name.words) {
            guard let status = try status(of: name) else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG: try copyFile(name, to: target)
            case S_IFLNK: try copyLink(name, to: target)
            case S_IFDIR:
                guard let inner = try opened(name) else { continue }
                let copy = try target.making(name)
                try inner.copyContents(
                    to: copy, leavingOut: Self.paths(excluded, below: name), levels: Self.next(levels, at: inner.path))
                try Self.take(status, copy.descriptor, copy.path)
            default: break
            }
        }
        try target.sync()
    }

    private borrowing func copyFile(_ name: EntryName, to target: borrowing OpenFolder) throws(AtriumError) {
        let path = target.path.appending(name.words)
        let source = openat(descriptor, name.bytes, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard source >= 0 else { throw FileSystem.failure(reason: "openingFailed", self.path.appending(name.words)) }
        defer { close(source) }
        let copy = openat(target.descriptor, name.bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard copy >= 0 else { throw FileSystem.failure(reason: "openingFailed", path) }
        defer { close(copy) }
        var status = stat()
        guard csystem_share_content(source, copy) == 0 || csystem_copy_content(source, copy) == 0,
            fstat(source, &status) == 0
        else { throw FileSystem.failure(reason: "writingFailed", path) }
        try Self.take(status, copy, path)
        try FileSystem.sync(copy, at: path)
    }

    private borrowing func copyLink(_ name: EntryName, to target: borrowing OpenFolder) throws(AtriumError) {
        let path = target.path.appending(name.words)
        var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlinkat(descriptor, name.bytes, &text, text.count - 1) >= 0,
            symlinkat(text, target.descriptor, name.bytes) == 0
        else { throw FileSystem.failure(reason: "linkingFailed", path) }
    }

    /// Gives an open item the permissions and the time of change of another one.
    private static func take(_ status: stat, _ descriptor: Int32, _ path: FilePath) throws(AtriumError) {
        let times = [status.st_atim, status.st_mtim]
        guard fchmod(descriptor, status.st_mode & 0o777) == 0, futimens(descriptor, times) == 0 else {
            throw FileSystem.failure(reason: "writingFailed", path)
        }
    }

    private static func paths(_ paths: Set<String>, below name: EntryName) -> Set<String> {
        let prefix = name.words + "/"
        return Set(paths.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    }

    private static func next(_ levels: Int, at path: FilePath) throws(AtriumError) -> Int {
        guard levels > 1 else { throw AtriumError(.inputOutput, path.string, reason: "foldersTooDeep") }
        return levels - 1
    }
}

extension FileSystem {
    /// Returns whether files in a folder can share blocks.
    package static func canShareBlocks(in folder: FilePath) -> Bool { csystem_can_share(folder.string) }
}
