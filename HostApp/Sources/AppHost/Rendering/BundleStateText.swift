import Console
import PluginCore
import PluginRuntime

extension BundleState {
    /// The state of a version as people read it.
    ///
    /// For example `draining (1 call, 2 pages)`.
    var words: String {
        switch self {
        case .known: localized("known")
        case .downloading(let done, let total, .package): localized("downloading (\(done) of \(total) bytes)")
        case .downloading(let done, let total, .delta(let base)):
            localized("downloading the changes since \(base) (\(done) of \(total) bytes)")
        case .downloading(let done, let total, .packageAfterDelta(let reason)):
            localized("downloading (\(done) of \(total) bytes; \(reason.sentence))")
        case .staged: localized("staged")
        case .verified(let team): localized("verified (sealed by \(team))")
        case .waiting: localized("staged for the next start")
        case .installed(.new): localized("installed")
        case .installed(.adopted): localized("installed (at this start)")
        case .installed(.returned): localized("installed (again)")
        case .loaded: localized("loaded")
        case .active: localized("active")
        case .draining(let calls, let pages):
            localized(
                "draining (\(calls == 1 ? localized("1 call") : localized("\(calls) calls")), \(pages == 1 ? localized("1 page") : localized("\(pages) pages")))"
            )
        case .retired(let why): localized("retired (\(why.words))")
        case .quarantined(let reason): localized("quarantined (\(reason.sentence))")
        case .removed: localized("removed")
        }
    }
}

extension BundleState.Retirement {
    fileprivate var words: String {
        switch self {
        case .replaced: localized("replaced")
        case .withdrawn: localized("withdrawn")
        case .ended: localized("the session has ended")
        case .crashed(let why): localized("its process has ended: \(why.sentence)")
        case .refused(let why): localized("it did not start: \(why.sentence)")
        case .released: localized("no longer kept")
        }
    }
}
