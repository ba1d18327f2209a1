#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// The removal of leftovers of interrupted work in the staging folder.
extension BundleManager {
    /// Removes leftovers, unless another process holds the writer lock, which isn't waited for.
    ///
    /// Usually there are none, which takes one system call.
    func sweepStaging() async {
        guard mayHoldRemains(sandbox.staging) else { return }
        let lock = WriterLock(sandbox, patience: .zero, command: services.command)
        // A host that may not write skips this silently.
        guard (try? await lock.acquire()) != nil else { return }
        _ = try? installer.collector.sweepStaging()
        lock.release()
    }

    /// Returns whether a folder may have subfolders: each adds a hard link to it, where the file system counts them.
    private nonisolated func mayHoldRemains(_ folder: FilePath) -> Bool {
        var status = stat()
        guard lstat(folder.string, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        return status.st_nlink != 2
    }
}
