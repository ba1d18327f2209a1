import Console
import PluginCore
import PluginRuntime
import Synchronization

/// Shows how far installs are, on standard error: a bar each where somebody watches.
final class InstallProgress: Sendable {
    /// The commands whose answer says what was installed; for any other a line of its own does.
    private static let answering: Set = ["install", "update"]

    private let command: Mutex<String?>
    private let current = Mutex<ProgressBar?>(nil)
    /// What was said to be installed, so that it is not left standing when it is taken back.
    private let told = Mutex<Set<BundleIdentity>>([])

    /// - Parameter command: what is being run.
    init(of command: String?) {
        self.command = Mutex(command)
    }

    /// Runs a command inside the one that was given, as a session does.
    func during<R>(_ inner: String, _ body: () async throws -> R) async rethrows -> R {
        let outer = command.withLock { command in
            defer { command = inner }
            return command
        }
        defer { command.withLock { $0 = outer } }
        return try await body()
    }

    /// Takes the steps of all bundles.
    func observe(_ event: LifecycleEvent) {
        switch event.state {
        case .downloading(let done, let total):
            let bar = current.withLock { bar in
                let running = bar ?? ProgressBar()
                bar = running
                return running
            }
            bar.update(done: Int(clamping: done), total: Int(clamping: total), label: "\(event.identity)")
        case .waiting: end(nil)
        case .installed(.new):
            let isAnswered = command.withLock { $0.map(Self.answering.contains) ?? false }
            end(isAnswered ? nil : "installed \(event.identity)")
            if !isAnswered { told.withLock { _ = $0.insert(event.identity) } }
        case .removed:
            // Who uninstalls it in a session has it said by the answer.
            let isTold = told.withLock { $0.remove(event.identity) } != nil
            if isTold, command.withLock({ $0 }) != "uninstall" {
                StandardOutput.note("removed \(event.identity) again\n")
            }
        default: return
        }
    }

    /// Takes away what an install that failed has left.
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
            // Of several that come in one step, the bar has gone with the first.
            StandardOutput.note(printable(summary) + "\n")
        }
    }
}
