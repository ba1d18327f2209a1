import Glibc
package import PluginCore

extension FileSystem {
    /// Returns the number of bytes that this process may still write on the file system of a path, if known.
    package static func space(at path: FilePath) -> UInt64? { freeSpace(path) }

    /// Measures the free space; a task-local value, because a test can't fill a disk and replaces it.
    @TaskLocal static var freeSpace: @Sendable (FilePath) -> UInt64? = { path in
        var status = statvfs()
        guard statvfs(path.string, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) &* UInt64(status.f_frsize)
    }

    /// Returns whether a folder can hold another hard link to an open file, by creating one and removing it.
    package static func canLink(_ file: Int32, into folder: FilePath) -> Bool {
        let name = folder.appending(".link").string
        guard linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else { return false }
        unlink(name)
        return true
    }

    /// Checks that enough space is free, without reserving it.
    ///
    /// - Throws: ``AtriumError`` with code `storageFull`; the detail has both figures.
    package static func requireSpace(_ need: UInt64, at path: FilePath) throws(AtriumError) {
        guard let space = space(at: path), space < need else { return }
        throw AtriumError(
            .storageFull, path.string, reason: "spaceNeeded",
            ["needed": .integer(Int(need >> 10)), "free": .integer(Int(space >> 10))])
    }
}
