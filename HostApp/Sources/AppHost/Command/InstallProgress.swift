import Console
import PluginCore
import PluginRuntime
import Synchronization

/// Shows how far installs are, on standard error: a bar each where somebody watches.
final class InstallProgress: Sendable {
    private let isAskedFor: Bool
    private let current = Mutex<ProgressBar?>(nil)
    /// What was said to be installed, so that it is not left standing when it is taken back.
    private let told = Mutex<Set<BundleIdentity>>([])

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
        case .installed:
            end(isAskedFor ? nil : "installed \(event.identity)")
            if !isAskedFor { told.withLock { _ = $0.insert(event.identity) } }
        case .removed:
            guard told.withLock({ $0.remove(event.identity) }) != nil else { return }
            StandardOutput.note("removed \(event.identity) again\n")
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
