import Console
import PluginCore
import PluginRuntime
import Synchronization

/// The progress display of installs on standard error, with a line for each bundle on a terminal.
final class InstallProgress: Sendable {
    /// The commands whose own output lists installed versions; other commands print a separate line.
    private static let answering: Set = ["app", "install", "update"]

    /// The number of bundles that are shown at once.
    private static let height = 8

    private struct State {
        var command: String?
        /// Made with the first download, for the width that the terminal has then.
        var bar: ProgressBar?
        /// The versions that were announced as installed, so that their removal is announced too.
        var told: Set<BundleIdentity> = []
    }

    private let state: Mutex<State>

    /// Creates the progress display of a command.
    ///
    /// - Parameter command: the running command.
    init(of command: String?) {
        state = Mutex(State(command: command))
    }

    /// Runs a nested command, as a session does.
    func during<R>(_ inner: String, _ body: () async throws -> R) async rethrows -> R {
        let outer = state.withLock { state in
            defer { state.command = inner }
            return state.command
        }
        defer { state.withLock { $0.command = outer } }
        return try await body()
    }

    /// Handles the lifecycle events of all bundles.
    func observe(_ event: LifecycleEvent) {
        switch event.state {
        case .downloading(let done, let total, let content):
            let bar = state.withLock { state in
                let bar = state.bar ?? ProgressBar(height: Self.height)
                state.bar = bar
                return bar
            }
            bar.update(
                done: Int(clamping: done), total: Int(clamping: total), label: "\(event.identity)\(content.words)",
                of: "\(event.identity)")
        case .waiting: clear()
        case .installed(.new):
            let isAnswered = state.withLock { state in
                let isAnswered = state.command.map(Self.answering.contains) ?? false
                if !isAnswered { state.told.insert(event.identity) }
                return isAnswered
            }
            clear(saying: isAnswered ? nil : localized("installed \(event.identity)"))
        case .removed:
            // After a failed download, others may still run.
            state.withLock { $0.bar }?.remove("\(event.identity)")
            // In a session, the answer of `uninstall` already says so.
            if state.withLock({ $0.told.remove(event.identity) != nil && $0.command != "uninstall" }) {
                StandardOutput.note(localized("removed \(event.identity) again\n"))
            }
        default: return
        }
    }

    /// Removes the progress bar, also one that a failed install has left on the terminal.
    func clear(saying summary: String? = nil) {
        let bar = state.withLock { state in
            defer { state.bar = nil }
            return state.bar
        }
        // If several versions are installed in one step, the bar is removed with the first.
        (bar ?? ProgressBar(height: Self.height)).finish(summary)
    }
}

extension DownloadContent {
    /// The words after the name of a version whose download is shown.
    fileprivate var words: String {
        switch self {
        case .package, .packageAfterDelta: ""
        case .delta(let base): localized(" (changes since \(base))")
        }
    }
}

extension BundleState {
    /// The state of a version as people read it.
    ///
    /// For example `draining (1 call, 2 pages)`.
    var words: String {
        switch self {
        case .known: localized("known")
        case .downloading(let done, let total, .package): localized("downloading (\(done) of \(total) bytes)")
        case .downloading(let done, let total, .delta(let base)):
            hostText("downloadingDelta", base, done, total)
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
        }
    }
}
