import HostSystem
import PluginCore

/// The folders that earlier releases named differently.
extension Sandbox {
    private var earlierCrashLogs: FilePath { registry.parent.appending("Probation") }
    private var earlierMinimumVersions: FilePath { registry.parent.appending("Floors") }

    /// A Boolean value that indicates whether an earlier release has left folders to move.
    package var hasEarlierFolders: Bool {
        [earlierCrashLogs, earlierMinimumVersions].contains { (try? FileSystem.item(at: $0)) != nil }
    }

    /// Moves the crash logs and minimum versions of an earlier release to the folders of this one, under the writer lock.
    ///
    /// Both folders exist if the earlier release has run once more. Then the higher minimum versions are kept, and its crash logs
    /// are ignored. See Documentation/Decisions/0211-folders-renamed-once.md.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`, `sandboxUnwritable` or `sandboxBusy`.
    package func moveEarlierFolders() throws {
        if case .folder = try FileSystem.item(at: earlierCrashLogs), try FileSystem.item(at: crashLogs) == nil {
            try FileSystem.rename(earlierCrashLogs, to: crashLogs)
        }
        guard case .folder = try FileSystem.item(at: earlierMinimumVersions) else { return }
        guard try FileSystem.item(at: minimumVersions) != nil else {
            return try FileSystem.rename(earlierMinimumVersions, to: minimumVersions)
        }
        for (identifier, version) in try MinimumVersionFiles(self, in: earlierMinimumVersions).read() {
            try MinimumVersionFiles(self).raise(BundleIdentity(identifier: identifier, version: version))
        }
        try FileSystem.remove(earlierMinimumVersions)
    }
}
