#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

extension FileSystem {
    /// Makes sure that libraries in a folder, or one that is yet to be made, can be loaded.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnusable` when its file system is mounted with `noexec`, the mount point in the
    ///   detail.
    static func requireExecution(in path: FilePath) throws(AtriumError) {
        guard forbidsExecution(path) else { return }
        var mount = path
        while mount.parent != mount, mount.string != ".", forbidsExecution(mount.parent) { mount = mount.parent }
        throw AtriumError(
            .sandboxUnusable, path.string,
            detail: "the file system mounted at \(mount) forbids running code (noexec)")
    }

    /// Returns whether the file system of a path, or of the nearest folder above it that exists, is mounted with `noexec`.
    ///
    /// Not every test may mount a file system, so a test answers in its place.
    @TaskLocal static var forbidsExecution: @Sendable (FilePath) -> Bool = { path in
        #if canImport(Glibc)
            var status = statvfs()
            var place = path
            while statvfs(place.string, &status) != 0 {
                guard isAbsence(errno), place.parent != place else { return false }
                place = place.parent
            }
            return status.f_flag & noexec != 0
        #else
            return false
        #endif
    }

    /// `ST_NOEXEC` of statvfs(3), which glibc declares for `_GNU_SOURCE` only.
    private static let noexec: UInt = 8
}
