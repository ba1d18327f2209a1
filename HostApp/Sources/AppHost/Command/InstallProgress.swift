import Console
import PluginRuntime
import Synchronization

/// Shows how far installs are, on standard error: a bar each where somebody watches.
final class InstallProgress: Sendable {
    private let isAskedFor: Bool
    private let current = Mutex<ProgressBar?>(nil)

    /// - Parameter isAskedFor: whether installing is what the command is for. Its answer says then what was installed;
    ///   else a line of its own does.
    init(isAskedFor: Bool) {
        self.isAskedFor = isAskedFor
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
        case .installed: end(isAskedFor ? nil : "installed \(event.identity)")
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
        bar?.finish(summary)
    }
}
