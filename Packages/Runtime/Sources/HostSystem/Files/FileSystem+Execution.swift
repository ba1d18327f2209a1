import Glibc
package import PluginCore

extension FileSystem {
    /// Checks that libraries in a folder, which need not exist yet, can be loaded.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnusable` when the file system is mounted with `noexec`; the detail names
    ///   the mount point.
    package static func requireExecution(in path: FilePath) throws(AtriumError) {
        guard forbidsExecution(path) else { return }
        var mount = path
        while mount.parent != mount, mount.string != ".", forbidsExecution(mount.parent) { mount = mount.parent }
        throw AtriumError(
            .sandboxUnusable, path.string,
            reason: "noexec", ["mount": .text(mount.string)])
    }

    /// Returns whether the file system of a path, or of its nearest existing parent, forbids running code.
    ///
    /// Such a file system is mounted with `noexec`. A task-local value, because an unprivileged test can't mount a file system and
    /// replaces it.
    @TaskLocal static var forbidsExecution: @Sendable (FilePath) -> Bool = { path in
        var status = statvfs()
        var place = path
        while statvfs(place.string, &status) != 0 {
            guard isAbsence(errno), place.parent != place else { return false }
            place = place.parent
        }
        return status.f_flag & noexec != 0
    }

    /// The flag ST_NOEXEC of statvfs, which glibc declares only for _GNU_SOURCE.
    private static let noexec: UInt = 8
}
