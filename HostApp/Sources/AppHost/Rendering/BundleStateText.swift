import Console
import PluginCatalog
import PluginCore
import PluginRuntime

extension BundleState {
    /// The state of a version as people read it.
    ///
    /// For example `draining (1 call, 2 pages)`.
    var words: String {
        switch self {
        case .known: "known"
        case .downloading(let done, let total, .package): "downloading (\(done) of \(total) bytes)"
        case .downloading(let done, let total, .delta(let base)):
            "downloading the changes since \(base) (\(done) of \(total) bytes)"
        case .downloading(let done, let total, .packageAfterDelta(let reason)):
            "downloading (\(done) of \(total) bytes; \(reason.sentence))"
        case .staged: "staged"
        case .verified(let team): "verified (sealed by \(team))"
        case .waiting: "staged for the next start"
        case .installed(.new): "installed"
        case .installed(.adopted): "installed (at this start)"
        case .installed(.returned): "installed (again)"
        case .loaded: "loaded"
        case .active: "active"
        case .draining(let calls, let pages):
            "draining (\(calls) \(calls == 1 ? "call" : "calls"), \(pages) \(pages == 1 ? "page" : "pages"))"
        case .retired(let why): "retired (\(why.words))"
        case .quarantined(let reason): "quarantined (\(reason.sentence))"
        case .removed: "removed"
        }
    }
}

extension BundleState.Retirement {
    fileprivate var words: String {
        switch self {
        case .replaced: "replaced"
        case .withdrawn: "withdrawn"
        case .ended: "the session has ended"
        case .crashed(let why): "its process has ended: \(why.sentence)"
        case .refused(let why): "it did not start: \(why.sentence)"
        case .released: "no longer kept"
        }
    }
}
