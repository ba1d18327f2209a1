import Registry
import HostSystem
import PluginCore

/// The removal of leftovers of interrupted work in the staging folder.
extension BundleManager {
    /// Removes leftovers, unless another process holds the writer lock, which isn't waited for.
    ///
    /// Usually there are none, which takes one system call.
    func sweepStaging() async {
        guard FileSystem.mayHaveFolders(sandbox.staging) else { return }
        let lock = WriterLock(sandbox, patience: .zero, command: services.command)
        // A host that may not write skips this silently.
        guard (try? await lock.acquire()) != nil else { return }
        _ = try? installer.collector.sweepStaging()
        lock.release()
    }
}
