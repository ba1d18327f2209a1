import PluginCore
import Synchronization

/// What running a version has shown, on its way into the registry: that it runs, and by what its files are known.
///
/// Written in the background, because nobody has to wait for it, and at the latest when the session ends. That it cannot be
/// written is no misfortune: the next run shows it again.
final class LoadRecords: Sendable {
    private struct Pending {
        var proven: [PluginBundle] = []
        var stamps: [VersionStamp] = []
        var notes: [String: String] = [:]
    }

    private let registry: Registry
    private let pending = Mutex(Pending())
    /// Held while something is written: who is told that all is written can end the process.
    private let writing = Mutex(())

    init(_ registry: Registry) {
        self.registry = registry
    }

    /// The version's code was used, and came back.
    func add(proven bundle: PluginBundle) {
        pending.withLock { $0.proven.append(bundle) }
        writeSoon()
    }

    /// A part of the version was read and found to be what was sealed, and is known by this from now on.
    func add(_ part: VersionStamp.Part, _ text: String, of bundle: PluginBundle) {
        pending.withLock { $0.stamps.append(VersionStamp(bundle: bundle, part: part, text: text)) }
        writeSoon()
    }

    /// Something else was found out that is kept under a name.
    func add(note name: String, _ value: String) {
        pending.withLock { $0.notes[name] = value }
        writeSoon()
    }

    /// Writes what has not been written. When it returns, what was added before is written, by whomever.
    func write() {
        writing.withLock { _ in
            let due = pending.withLock { pending in
                defer { pending = Pending() }
                return pending
            }
            if !due.stamps.isEmpty { try? registry.keep(due.stamps) }
            for (name, value) in due.notes { try? registry.keep(note: name, value) }
            for bundle in due.proven { try? registry.prove(bundle) }
        }
    }

    private func writeSoon() {
        Task.detached(priority: .utility) { self.write() }
    }
}
