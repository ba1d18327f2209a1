import ExtensionProcess
import HostSystem
import PluginCore
import PluginExtension
import Registry
import Synchronization

/// The processes of extensions that wait for another request, at most one per extension.
final class WarmProcesses: Sendable {
    private struct Entry {
        let running: RunningExtension
        let end: DeadlineQueue.Deadline
    }

    private let entries = Mutex<[BundleIdentifier: Entry]>([:])

    /// Returns the process of an extension, which no longer waits. A process of another version is ended, and one that has ended is not
    /// returned.
    func take(_ found: RunnableExtension) async -> RunningExtension? {
        let identifier = found.declaration.identifier
        guard let entry = entries.withLock({ $0.removeValue(forKey: identifier) }) else { return nil }
        DeadlineQueue.shared.cancel(entry.end)
        if entry.running.bundle == found.bundle, !entry.running.process.hasEnded { return entry.running }
        await entry.running.end()
        return nil
    }

    /// Keeps a process for some time, after which it is ended.
    ///
    /// A second process of the extension is ended at once, and one whose processor time could end during the next request.
    func keep(_ running: RunningExtension, for seconds: Double, as identifier: BundleIdentifier) async {
        let isKept =
            seconds > 0 && running.process.hasTimeForRequest
            && entries.withLock { entries in
                guard entries[identifier] == nil else { return false }
                let end = try? DeadlineQueue.shared.after(seconds) { [weak self] in
                    Task { await self?.remove(identifier, running) }
                }
                entries[identifier] = end.map { Entry(running: running, end: $0) }
                return end != nil
            }
        if !isKept { await running.end() }
    }

    /// The numbers of the waiting processes.
    var numbers: [BundleIdentifier: Int32] { entries.withLock { $0.mapValues(\.running.process.number) } }

    /// Ends the processes of some extensions, by their identifiers and those of their bundles.
    func end(_ isMeant: (_ extension: BundleIdentifier, _ bundle: BundleIdentifier) -> Bool = { _, _ in true }) async {
        let ending = entries.withLock { entries in
            let ending = entries.filter { isMeant($0.key, $0.value.running.bundle.identifier) }
            for identifier in ending.keys { entries[identifier] = nil }
            return ending
        }
        await withDiscardingTaskGroup { group in
            for entry in ending.values {
                DeadlineQueue.shared.cancel(entry.end)
                group.addTask { await entry.running.end() }
            }
        }
    }

    private func remove(_ identifier: BundleIdentifier, _ running: RunningExtension) async {
        let isWaiting = entries.withLock { entries in
            guard entries[identifier]?.running.process === running.process else { return false }
            entries[identifier] = nil
            return true
        }
        if isWaiting { await running.end() }
    }
}
