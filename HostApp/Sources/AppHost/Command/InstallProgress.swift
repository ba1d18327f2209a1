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

    private let command: Mutex<String?>
    private let current = Mutex<ProgressBar?>(nil)
    /// The versions that were announced as installed, so that their removal is announced too.
    private let told = Mutex<Set<BundleIdentity>>([])

    /// Creates the progress display of a command.
    ///
    /// - Parameter command: the running command.
    init(of command: String?) {
        self.command = Mutex(command)
    }

    /// Runs a nested command, as a session does.
    func during<R>(_ inner: String, _ body: () async throws -> R) async rethrows -> R {
        let outer = command.withLock { command in
            defer { command = inner }
            return command
        }
        defer { command.withLock { $0 = outer } }
        return try await body()
    }

    /// Handles the lifecycle events of all bundles.
    func observe(_ event: LifecycleEvent) {
        switch event.state {
        case .downloading(let done, let total, let content):
            let bar = current.withLock { bar in
                let running = bar ?? ProgressBar(height: Self.height)
                bar = running
                return running
            }
            bar.update(
                done: Int(clamping: done), total: Int(clamping: total), label: "\(event.identity)\(content.words)",
                of: "\(event.identity)")
        case .waiting: end(nil)
        case .installed(.new):
            let isAnswered = command.withLock { $0.map(Self.answering.contains) ?? false }
            end(isAnswered ? nil : localized("installed \(event.identity)"))
            if !isAnswered { told.withLock { _ = $0.insert(event.identity) } }
        case .removed:
            // After a failed download, others may still run.
            current.withLock { $0 }?.remove("\(event.identity)")
            // In a session, the answer of `uninstall` already says so.
            let isTold = told.withLock { $0.remove(event.identity) } != nil
            if isTold, command.withLock({ $0 }) != "uninstall" {
                StandardOutput.note(localized("removed \(event.identity) again\n"))
            }
        default: return
        }
    }

    /// Removes the progress bar that a failed install has left on the terminal.
    func clear() {
        end(nil)
    }

    private func end(_ summary: String?) {
        let bar = current.withLock { bar in
            defer { bar = nil }
            return bar
        }
        if let bar {
            bar.finish(summary)
        } else if let summary {
            // If several versions are installed in one step, the bar is removed with the first.
            StandardOutput.note(printable(summary) + "\n")
        }
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
        }
    }
}
