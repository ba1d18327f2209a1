import Registry
import Synchronization

/// The first runs of versions in this process, which haven't run successfully yet, with their crash logs.
///
/// A version has run successfully when a first use has returned, and then the session has ended properly, or some time has passed
/// without a crash and the main actor has then run a task. Until then its crash log stays, so that a crash of its code is recognized
/// by its address on any thread, whichever task ran it. See Documentation/Decisions/0001-crash-detection.md.
final class FirstRuns: Sendable {
    private struct FirstRun {
        let bundle: PluginBundle
        let sentinel: CrashSentinel
        /// The number of calls into its code that currently use a thread.
        var runningCalls = 0
        var isUsed = false
        /// A Boolean value that indicates whether only running calls keep the run from counting as successful.
        var isStable = false
    }

    private let settling: Duration
    private let onSuccessfulRun: @Sendable (PluginBundle) -> Void
    private let runs = Mutex<[VersionKey: FirstRun]>([:])
    /// The versions that have run successfully in this process.
    private let hasRunVersions = Mutex<Set<VersionKey>>([])

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - settling: the time that has to pass after the first use.
    ///   - onSuccessfulRun: called for each version that has run successfully.
    init(settling: Duration, onSuccessfulRun: @escaping @Sendable (PluginBundle) -> Void) {
        self.settling = settling
        self.onSuccessfulRun = onSuccessfulRun
    }

    /// Returns whether a version is in its first run and none of its calls uses a thread.
    func isIdle(_ bundle: PluginBundle) -> Bool { runs.withLock { $0[bundle.key]?.runningCalls == 0 } }

    /// Returns whether a version has run successfully in this process.
    func hasRunBefore(_ bundle: PluginBundle) -> Bool { hasRunVersions.withLock { $0.contains(bundle.key) } }

    /// Begins the first run of a loaded version with the sentinel of its load; if it was loaded before, the earlier sentinel is kept.
    ///
    /// - Returns: whether this sentinel is used.
    func begin(_ bundle: PluginBundle, _ sentinel: CrashSentinel) -> Bool {
        let isFirst = runs.withLock { runs in
            guard runs[bundle.key] == nil else { return false }
            runs[bundle.key] = FirstRun(bundle: bundle, sentinel: sentinel)
            return true
        }
        if isFirst { sentinel.stay() } else { sentinel.end() }
        return isFirst
    }

    /// Counts a call into a version's code that uses its thread, or with -1, one that no longer does.
    func countCalls(of bundle: PluginBundle, _ change: Int) { self.change(bundle) { $0.runningCalls += change } }

    /// Records that a use of a version's code has returned.
    func use(_ bundle: PluginBundle) {
        var isFirst = false
        let isKnown = change(bundle) { run in
            isFirst = !run.isUsed
            run.isUsed = true
            if settling == .zero { run.isStable = true }
        }
        // There is no sentinel, because no crash log could be written, so there is nothing to wait for.
        guard isKnown else { return recordSuccessfulRun(bundle) }
        guard isFirst, settling > .zero else { return }
        Task.detached { [weak self, settling] in
            try? await Task.sleep(for: settling)
            // The version may still block the main actor, and keeps its crash log until the main actor runs again.
            await MainActor.run {}
            self?.change(bundle) { $0.isStable = true }
        }
    }

    /// Ends the first runs of all versions that have been used, which have then run successfully.
    func recordUsedVersions() {
        for bundle in runs.withLock({ $0.values.filter(\.isUsed).map(\.bundle) }) {
            change(bundle) { $0.isStable = true }
        }
    }

    /// Ends all first runs, at the end of a session.
    func end() {
        let ended = runs.withLock { runs in
            defer { runs = [:] }
            return runs.values.map { $0 }
        }
        for run in ended { end(run) }
    }

    /// Changes a first run, and ends it when all conditions are met.
    ///
    /// - Returns: whether the version is in its first run.
    @discardableResult
    private func change(_ bundle: PluginBundle, _ body: (inout FirstRun) -> Void) -> Bool {
        var ended: FirstRun?
        let isKnown = runs.withLock { runs in
            guard var run = runs[bundle.key] else { return false }
            body(&run)
            runs[bundle.key] = run
            if run.isStable, run.runningCalls == 0 { ended = runs.removeValue(forKey: bundle.key) }
            return true
        }
        if let ended { end(ended) }
        return isKnown
    }

    private func end(_ run: FirstRun) {
        if run.isUsed { recordSuccessfulRun(run.bundle) }
        run.sentinel.end()
    }

    private func recordSuccessfulRun(_ bundle: PluginBundle) {
        if hasRunVersions.withLock({ $0.insert(bundle.key).inserted }) { onSuccessfulRun(bundle) }
    }
}
