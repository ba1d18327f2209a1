import ExtensionProcess
import PluginCore
import Registry

/// The processes of extensions that wait for another request, at most one per extension.
actor WarmProcesses {
    private struct Entry {
        let running: RunningExtension
        let end: Task<Void, Never>
    }

    private var entries: [BundleIdentifier: Entry] = [:]

    /// Returns the process of an extension, which no longer waits. A process of another version is ended.
    func take(_ identifier: BundleIdentifier, of bundle: PluginBundle) async -> RunningExtension? {
        guard let entry = entries.removeValue(forKey: identifier) else { return nil }
        entry.end.cancel()
        if entry.running.bundle == bundle { return entry.running }
        await entry.running.process.end()
        return nil
    }

    /// Keeps a process for some time, after which it is ended. A second process of the extension is ended at once.
    func keep(_ running: RunningExtension, for seconds: Double, as identifier: BundleIdentifier) async {
        guard entries[identifier] == nil, seconds > 0 else { return await running.process.end() }
        let end = Task {
            guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
            await remove(identifier, running)
        }
        entries[identifier] = Entry(running: running, end: end)
    }

    /// Ends the processes of some extensions.
    func end(_ isMeant: @Sendable (BundleIdentifier) -> Bool = { _ in true }) async {
        let ending = entries.filter { isMeant($0.key) }
        for identifier in ending.keys { entries[identifier] = nil }
        await withDiscardingTaskGroup { group in
            for entry in ending.values {
                entry.end.cancel()
                group.addTask { await entry.running.process.end() }
            }
        }
    }

    private func remove(_ identifier: BundleIdentifier, _ running: RunningExtension) async {
        guard entries[identifier]?.running.process === running.process else { return }
        entries[identifier] = nil
        await running.process.end()
    }
}
