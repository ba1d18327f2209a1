import AppScreens
import PluginCore
import PluginRuntime
import Synchronization

/// The progress of installs, which arrives on any thread and is passed on to the main actor in batches.
final class InstallChanges: Sendable {
    private struct State {
        var news: [BundleIdentifier: StoreItem.State?] = [:]
        var isScheduled = false
        var receiver: (@MainActor @Sendable ([BundleIdentifier: StoreItem.State?]) -> Void)?
    }

    private let state = Mutex(State())

    /// Calls a closure with the states of bundles that have changed; `nil` for a bundle whose change has ended.
    func forward(to receiver: (@MainActor @Sendable ([BundleIdentifier: StoreItem.State?]) -> Void)?) {
        state.withLock { $0.receiver = receiver }
    }

    func observe(_ event: LifecycleEvent) {
        let news: StoreItem.State?
        switch event.state {
        case .downloading(let done, let total, _): news = .downloading(done: done, total: total)
        case .staged, .verified: news = .installing
        case .installed, .waiting, .removed: news = nil
        default: return
        }
        let isFirst = state.withLock { state in
            state.news[event.identity.identifier] = .some(news)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        guard isFirst else { return }
        Task { @MainActor in
            let (news, receiver) = state.withLock { state in
                defer { (state.news, state.isScheduled) = ([:], false) }
                return (state.news, state.receiver)
            }
            receiver?(news)
        }
    }
}
