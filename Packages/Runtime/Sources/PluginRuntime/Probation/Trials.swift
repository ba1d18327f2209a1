import Registry
import Synchronization

/// The versions in this process that haven't run successfully yet, with their markers.
///
/// A version has run successfully when a first use has returned, and then the session has ended properly or some time has
/// passed without a crash. Until then its marker stays, so that a crash of its code is recognized by its address on any thread,
/// whichever task ran it. See Documentation/Decisions/0001-crash-detection.md.
final class Trials: Sendable {
    private struct Trial {
        let bundle: PluginBundle
        let mark: ProbationMark
        /// The number of calls into its code that currently use a thread.
        var held = 0
        var isUsed = false
        /// A Boolean value that indicates whether only running calls keep the trial from ending.
        var isSettled = false
    }

    private let settling: Duration
    private let onProof: @Sendable (PluginBundle) -> Void
    private let trials = Mutex<[ProbationBook.Version: Trial]>([:])
    /// The versions that have run successfully in this process.
    private let proven = Mutex<Set<ProbationBook.Version>>([])

    /// Creates an empty list.
    ///
    /// - Parameters:
    ///   - settling: the time that has to pass after the first use.
    ///   - onProof: called for each version that has run successfully.
    init(settling: Duration, onProof: @escaping @Sendable (PluginBundle) -> Void) {
        self.settling = settling
        self.onProof = onProof
    }

    /// Returns whether a version is on trial and none of its calls uses a thread.
    func isIdle(_ bundle: PluginBundle) -> Bool { trials.withLock { $0[bundle.version]?.held == 0 } }

    /// Returns whether a version has run successfully in this process.
    func isProven(_ bundle: PluginBundle) -> Bool { proven.withLock { $0.contains(bundle.version) } }

    /// Begins the trial of a loaded version with the mark of its load; when it was loaded before, the earlier mark is kept.
    ///
    /// - Returns: whether this mark is used.
    func begin(_ bundle: PluginBundle, _ mark: ProbationMark) -> Bool {
        let isFirst = trials.withLock { trials in
            guard trials[bundle.version] == nil else { return false }
            trials[bundle.version] = Trial(bundle: bundle, mark: mark)
            return true
        }
        if isFirst { mark.stay() } else { mark.end() }
        return isFirst
    }

    /// Counts a call into a version's code that uses its thread.
    func hold(_ bundle: PluginBundle) { change(bundle) { $0.held += 1 } }

    /// Ends the count of a call that no longer uses its thread.
    func release(_ bundle: PluginBundle) { change(bundle) { $0.held -= 1 } }

    /// Records that a use of a version's code has returned.
    func use(_ bundle: PluginBundle) {
        var isFirst = false
        let isKnown = change(bundle) { trial in
            isFirst = !trial.isUsed
            trial.isUsed = true
            if settling == .zero { trial.isSettled = true }
        }
        // There is no trial, because no marker could be written, so there is nothing to wait for.
        guard isKnown else { return prove(bundle) }
        guard isFirst, settling > .zero else { return }
        Task.detached { [weak self, settling] in
            try? await Task.sleep(for: settling)
            self?.change(bundle) { $0.isSettled = true }
        }
    }

    /// Ends the trials of all versions that have been used, which have then run successfully.
    func proveUsed() {
        for bundle in trials.withLock({ $0.values.filter(\.isUsed).map(\.bundle) }) {
            change(bundle) { $0.isSettled = true }
        }
    }

    /// Ends all trials, at the end of a session.
    func end() {
        let ended = trials.withLock { trials in
            defer { trials = [:] }
            return trials.values.map { $0 }
        }
        for trial in ended { end(trial) }
    }

    /// Changes a trial, and ends it when all conditions are met.
    ///
    /// - Returns: whether the version is on trial.
    @discardableResult
    private func change(_ bundle: PluginBundle, _ body: (inout Trial) -> Void) -> Bool {
        var ended: Trial?
        let isKnown = trials.withLock { trials in
            guard var trial = trials[bundle.version] else { return false }
            body(&trial)
            trials[bundle.version] = trial
            if trial.isSettled, trial.held == 0 { ended = trials.removeValue(forKey: bundle.version) }
            return true
        }
        if let ended { end(ended) }
        return isKnown
    }

    private func end(_ trial: Trial) {
        if trial.isUsed { prove(trial.bundle) }
        trial.mark.end()
    }

    private func prove(_ bundle: PluginBundle) {
        if proven.withLock({ $0.insert(bundle.version).inserted }) { onProof(bundle) }
    }
}

extension PluginBundle {
    fileprivate var version: ProbationBook.Version { ProbationBook.Version(identity: identity, digest: digest) }
}
