import PluginCore
import PluginRouter

/// What a manager does with versions that have not proven themselves: it writes down when their code runs.
struct Probation: Sendable {
    let book: ProbationBook
    /// Whether a version has shown that it runs; nothing is written down for it then.
    let isProven: @Sendable (PluginBundle) -> Bool
    /// Hears that it has: its code was used, and came back. On whatever thread that was.
    let onProof: @Sendable (PluginBundle) -> Void

    /// What brought a host down, if this version did and has not been put away yet.
    func verdict(on bundle: PluginBundle) throws(AtriumError) -> ProbationVerdict? {
        isProven(bundle) ? nil : try book.verdict(on: bundle.identity, digest: bundle.digest)
    }

    /// The load of a version begins, on the actor's thread.
    func load(_ bundle: PluginBundle, isolation: isolated any Actor = #isolation) -> ProbationMark? {
        guard !isProven(bundle), let mark = book.begin(bundle.identity, digest: bundle.digest, phase: .load) else {
            return nil
        }
        // The actor comes to this when the load first waits.
        Task {
            _ = isolation
            mark.gaveWay()
        }
        return mark
    }

    /// Who watches the first calls into a version; `nil` for one that is proven.
    func watch(of bundle: PluginBundle) -> FirstCall.Watch? {
        if isProven(bundle) { return nil }
        return { isHeld in
            let mark = book.begin(bundle.identity, digest: bundle.digest, phase: .firstUse, isHeld: isHeld)
            return FirstCall {
                mark?.gaveWay()
            } ended: { isUse in
                mark?.end()
                guard isUse else { return }
                book.clearStrikes(bundle.identity, digest: bundle.digest)
                onProof(bundle)
            }
        }
    }
}
