internal import CSystem
import Synchronization

/// Tells when the system gives this process no more threads, which would otherwise wait for one without end and in silence.
///
/// ```swift
/// let isWatched = ThreadShortage.watch { _exit(75) }
/// ```
///
/// The limits on processes and on memory (`ulimit -u`, `ulimit -v`) keep threads away. Code of bundles that ran meanwhile is not
/// blamed for how the process ends.
public enum ThreadShortage {
    /// How often a thread is asked for, and how often in a row in vain before the host is told.
    private static let (interval, patience) = (Duration.milliseconds(500), 3)

    /// Watches from now on, until ``end()``.
    ///
    /// - Parameter onShortage: is told on a thread that takes all signals. It must not need another thread.
    /// - Returns: `false` when not even this thread is to be had.
    public static func watch(_ onShortage: @escaping @Sendable () -> Void) -> Bool {
        let failures = Atomic<Int>(0)
        return HangWatch.shared.call(every: interval) {
            guard isThere else { return failures.store(0, ordering: .relaxed) }
            guard failures.add(1, ordering: .relaxed).newValue == patience else { return }
            note()
            onShortage()
        }
    }

    /// Watches no more: nothing is under way that would wait.
    public static func end() { HangWatch.shared.call(every: interval, nil) }

    /// A Boolean value that indicates whether there is a shortage just now.
    static var isThere: Bool { csystem_try_thread() != 0 }

    /// Has markers say so: whatever ends the process now speaks against no version.
    static func note() { crash_notes_write(ProbationMarker.shortage) }
}
