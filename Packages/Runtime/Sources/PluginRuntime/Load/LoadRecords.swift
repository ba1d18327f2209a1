package import Registry
import PluginCore
import Synchronization

/// Results of running versions that are to be written to the registry: that they have run successfully, and stamps of verified files.
///
/// They are written in the background, at the latest at the end of the session. Failures are ignored, because the next run
/// produces the results again.
public final class LoadRecords: Sendable {
    private struct Pending {
        var hasRunVersions: [PluginBundle] = []
        var stamps: [VersionStamp] = []
        var trustDecisions: [String: [TrustDecision]] = [:]
    }

    package let registry: Registry
    private let pending = Mutex(Pending())
    /// Locked while writing, so that a process doesn't end before its results are written.
    private let writing = Mutex(())

    init(_ registry: Registry) {
        self.registry = registry
    }

    /// Records that a version has run successfully.
    func add(hasRunVersions bundle: PluginBundle) {
        pending.withLock { $0.hasRunVersions.append(bundle) }
        writeSoon()
    }

    /// Records the stamp of a verified part of a version.
    package func add(_ part: VersionStamp.Part, _ text: String, of bundle: PluginBundle) {
        pending.withLock { $0.stamps.append(VersionStamp(bundle: bundle, part: part, text: text)) }
        writeSoon()
    }

    /// Records decisions that are based on trust files with a stamp.
    package func add(_ decisions: [TrustDecision], for stamp: String) {
        pending.withLock { $0.trustDecisions[stamp, default: []] += decisions }
        writeSoon()
    }

    /// Writes all results; when it returns, everything added before is written, by this call or another.
    func write() {
        writing.withLock { _ in
            let due = pending.withLock { pending in
                defer { pending = Pending() }
                return pending
            }
            if !due.stamps.isEmpty { try? registry.versions.save(due.stamps) }
            for (stamp, decisions) in due.trustDecisions { try? registry.trustDecisions.add(decisions, for: stamp) }
            for bundle in due.hasRunVersions { try? registry.recordSuccessfulRun(bundle) }
        }
    }

    private func writeSoon() {
        Task.detached(priority: .utility) { self.write() }
    }
}
