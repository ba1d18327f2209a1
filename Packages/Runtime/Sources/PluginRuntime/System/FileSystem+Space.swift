#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

extension FileSystem {
    /// The bytes that this process may still write on the file system of a path, as far as that is known.
    static func space(at path: FilePath) -> UInt64? { freeSpace(path) }

    /// Who is asked. Nobody can fill a disk for a test, so a test answers in its place.
    @TaskLocal static var freeSpace: @Sendable (FilePath) -> UInt64? = { path in
        var status = statvfs()
        guard statvfs(path.string, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) &* UInt64(status.f_frsize)
    }

    /// Returns whether an open file can have one more name in a folder, which is found out by giving it one for a moment.
    static func canLink(_ file: Int32, into folder: FilePath) -> Bool {
        let name = folder.appending(".link").string
        guard linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else { return false }
        unlink(name)
        return true
    }

    /// Makes sure that there is space before any of it is needed. Nobody reserves it: others may take it meanwhile.
    ///
    /// - Throws: ``AtriumError`` with code `storageFull`, both figures as detail.
    static func requireSpace(_ need: UInt64, at path: FilePath) throws(AtriumError) {
        guard let space = space(at: path), space < need else { return }
        throw AtriumError(
            .storageFull, path.string, detail: "\(need >> 10) KiB are needed, and \(space >> 10) KiB are free")
    }
}
