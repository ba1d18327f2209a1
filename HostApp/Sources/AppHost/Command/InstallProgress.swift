import Console
import PluginRuntime
import Synchronization

/// Shows how far an install is, on standard error and only where somebody watches.
final class InstallProgress: Sendable {
    private let bar = ProgressBar()
    private let isDrawn = Mutex(false)

    /// Takes the steps of all bundles.
    func observe(_ event: LifecycleEvent) {
        switch event.state {
        case .downloading(let done, let total):
            isDrawn.withLock { $0 = true }
            bar.update(done: Int(clamping: done), total: Int(clamping: total), label: "\(event.identity)")
        case .installed:
            if isDrawn.withLock({ $0 }) { bar.finish("installed \(event.identity)") }
        default: return
        }
    }
}
