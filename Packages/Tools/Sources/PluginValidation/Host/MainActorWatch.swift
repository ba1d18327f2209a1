import Dispatch
import Synchronization

/// A watch for code that blocks the main actor, of any request. The runtime watches only pages and the first calls into a plugin.
///
/// Time in which the whole process is stopped, as by a debugger, doesn't count.
final class MainActorWatch: Sendable {
    /// The time between two looks, in milliseconds.
    private static let interval = 200

    private let limit: Int
    private let progress: CheckProgress
    private let missed = Atomic<Int>(0)
    private let queue = DispatchQueue(label: "atrium.validation.watch")
    private let onBlocked: @Sendable () -> Void

    /// Starts watching, until the watch is released.
    ///
    /// - Parameters:
    ///   - progress: shows that the check, which occupies the main actor itself, is not blocked.
    ///   - seconds: the time after which the main actor counts as blocked.
    ///   - onBlocked: called once, on another thread.
    init(_ progress: CheckProgress, seconds: Int, onBlocked: @escaping @Sendable () -> Void) {
        self.progress = progress
        limit = seconds * 1000 / Self.interval
        self.onBlocked = onBlocked
        look()
    }

    private func look() {
        Task { @MainActor [weak self] in self?.missed.store(0, ordering: .relaxed) }
        let activity = progress.activity
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.interval)) { [weak self] in
            guard let self else { return }
            if progress.activity != activity { missed.store(0, ordering: .relaxed) }
            guard missed.add(1, ordering: .relaxed).newValue < limit else { return onBlocked() }
            look()
        }
    }
}
