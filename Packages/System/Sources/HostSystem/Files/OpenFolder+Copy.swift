import CSystem
import Glibc
package import PluginCore

/// The copying of a folder with all of its contents: files, folders and links, with their permissions and times of change.
///
/// Pipes, sockets and devices are left out.
extension OpenFolder {
    /// Returns the number of bytes that the files in the folder occupy on the disk.
    ///
    /// - Parameter excluded: relative paths of entries that do not count.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`, also for a folder with more than 128 levels.
    package func occupied(leavingOut excluded: Set<String> = []) throws(AtriumError) -> UInt64 {
        try copyContents(to: nil, leavingOut: excluded)
    }

    /// Copies all contents into another folder, and writes them to the disk. Files share their blocks where the file system can do that.
    ///
    /// - Parameters:
    ///   - target: the other folder; `nil` to copy nothing.
    ///   - excluded: relative paths of entries that are not copied.
    ///   - levels: the number of levels of folders that can be copied, each of which needs two open files.
    /// - Returns: the number of bytes that the files occupy on the disk.
    /// - Throws: ``AtriumError`` with code `inputOutput`, `storageFull` or `sandboxUnwritable`. What was copied before stays.
    @discardableResult
    package func copyContents(
        to target: OpenFolder?, leavingOut excluded: Set<String> = [], below prefix: String = "", levels: Int = 128
    ) throws(AtriumError) -> UInt64 {
        guard levels > 0 else { throw AtriumError(.inputOutput, path, reason: "foldersTooDeep") }
        var size: UInt64 = 0
        for name in try names() where !excluded.contains(prefix + name.words) {
            guard let status = try status(of: name) else { continue }
            size += UInt64(clamping: status.st_blocks) * 512
            switch status.kind {
            case S_IFREG: if let target { try copyFile(name, to: target) }
            case S_IFLNK: if let target { try copyLink(name, to: target) }
            case S_IFDIR:
                guard let inner = try opened(name) else { continue }
                let copy = try target?.making(name)
                size += try inner.copyContents(
                    to: copy, leavingOut: excluded, below: prefix + name.words + "/", levels: levels - 1)
                try copy?.take(status)
            default: break
            }
        }
        try target?.sync()
        return size
    }

    private func copyFile(_ name: EntryName, to target: OpenFolder) throws(AtriumError) {
        let source = try open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let copy = try target.open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
        if ioctl(copy.raw, UInt(csystem_clone), source.raw) != 0 { try source.copyContent(to: copy) }
        try copy.take(try source.status)
        try copy.sync()
    }

    /// Copies the content into an empty file, and leaves its holes out.
    private func copyContent(to copy: OpenFile) throws(AtriumError) {
        let size = try status.st_size
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var end: off_t = 0
        while end < size {
            let data = lseek(raw, end, Int32(csystem_seek_data))
            if data < 0, errno == ENXIO { break }
            var start = max(data, end)
            let hole = lseek(raw, start, Int32(csystem_seek_hole))
            end = hole < 0 ? size : hole
            while start < end {
                let count = try read(
                    into: &buffer, count: Int(min(end - start, off_t(buffer.count))), at: UInt64(start))
                if count == 0 { break }
                try copy.write(buffer.span.bytes.extracting(..<count), at: UInt64(start))
                start += off_t(count)
            }
        }
        try copy.truncate(to: UInt64(size))
    }

    private func copyLink(_ name: EntryName, to target: OpenFolder) throws(AtriumError) {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        try target.call("linkingFailed", name.words) { _ in readlinkat(raw, name.bytes, &text, text.count - 1) }
        try target.call("linkingFailed", name.words) { symlinkat(text, $0, name.bytes) }
    }

    /// Gives this item the permissions and the time of change of another one.
    private func take(_ status: stat) throws(AtriumError) {
        let times = [status.st_atim, status.st_mtim]
        try call("writingFailed") { fchmod($0, status.st_mode & 0o777) }
        try call("writingFailed") { futimens($0, times) }
    }
}

extension FileSystem {
    /// Returns whether files in a folder can share blocks.
    package static func canShareBlocks(in folder: FilePath) -> Bool { csystem_can_share(folder.string) }
}
