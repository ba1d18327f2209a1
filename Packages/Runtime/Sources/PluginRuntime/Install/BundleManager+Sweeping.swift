#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// What interrupted work has left in Staging.
extension BundleManager {
    /// Removes it, unless somebody works there now: whoever does has the lock, and it is not waited for. As a rule there is nothing, and
    /// that costs one system call.
    func sweepStaging() async {
        guard mayHoldRemains(sandbox.staging) else { return }
        let lock = WriterLock(sandbox, patience: .zero, command: services.command)
        // Who may not write cannot sweep, and has nothing to say about it.
        guard (try? await lock.acquire()) != nil else { return }
        _ = try? installer.collector.sweepStaging()
        lock.release()
    }

    /// Returns whether there may be folders in a folder: each is a link more to it, where the file system counts them.
    private nonisolated func mayHoldRemains(_ folder: FilePath) -> Bool {
        var status = stat()
        guard lstat(folder.string, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        return status.st_nlink != 2
    }
}
