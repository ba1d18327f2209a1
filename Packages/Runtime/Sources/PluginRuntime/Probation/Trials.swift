import Synchronization

/// The versions in this process that have not run successfully yet. Each keeps its marker from its load until it has: until a
/// first use has come back, and the session has ended in order or some time has passed without a crash.
///
/// So a crash of the version's code is known on any thread, whoever started the task that ran it: by the address of the code. Why
/// a proof waits: `Documentation/Decisions/0001-crash-detection.md`.
final class Trials: Sendable {
    private struct Trial {
        let bundle: PluginBundle
        let mark: ProbationMark
        /// How many calls into its code hold their threads.
        var held = 0
        var isUsed = false
        /// A Boolean value that indicates whether it only waits for such calls to come back.
        var isSettled = false
    }

    private let settling: Duration
    private let onProof: @Sendable (PluginBundle) -> Void
    private let trials = Mutex<[ProbationBook.Version: Trial]>([:])
    /// Those that have run successfully in this process.
    private let proven = Mutex<Set<ProbationBook.Version>>([])

    /// - Parameters:
    ///   - settling: how long a version goes on after its first use.
    ///   - onProof: hears of each that has run successfully.
    init(settling: Duration, onProof: @escaping @Sendable (PluginBundle) -> Void) {
        self.settling = settling
        self.onProof = onProof
    }

    /// Returns whether a version is on trial, and no call into its code holds a thread.
    func isIdle(_ bundle: PluginBundle) -> Bool { trials.withLock { $0[bundle.version]?.held == 0 } }

    /// Returns whether a version has run successfully in this process.
    func isProven(_ bundle: PluginBundle) -> Bool { proven.withLock { $0.contains(bundle.version) } }

    /// A version was loaded; the mark of its load stays. The first one does, when a version is loaded again.
    ///
    /// - Returns: whether it is this mark.
    func begin(_ bundle: PluginBundle, _ mark: ProbationMark) -> Bool {
        let isFirst = trials.withLock { trials in
            guard trials[bundle.version] == nil else { return false }
            trials[bundle.version] = Trial(bundle: bundle, mark: mark)
            return true
        }
        if isFirst { mark.stay() } else { mark.end() }
        return isFirst
    }

    /// A call into a version's code begins, which holds its thread.
    func hold(_ bundle: PluginBundle) { change(bundle) { $0.held += 1 } }

    /// Such a call has given its thread back.
    func release(_ bundle: PluginBundle) { change(bundle) { $0.held -= 1 } }

    /// A use of a version's code has come back.
    func use(_ bundle: PluginBundle) {
        var isFirst = false
        let isKnown = change(bundle) { trial in
            isFirst = !trial.isUsed
            trial.isUsed = true
            if settling == .zero { trial.isSettled = true }
        }
        // No marker could be written, so there is nothing to wait for.
        guard isKnown else { return prove(bundle) }
        guard isFirst, settling > .zero else { return }
        Task.detached { [weak self, settling] in
            try? await Task.sleep(for: settling)
            self?.change(bundle) { $0.isSettled = true }
        }
    }

    /// Ends the trial of all that have been used, which have run successfully.
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

    /// Changes a trial, and ends it if that was all it waited for.
    ///
    /// - Returns: whether there is one.
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
