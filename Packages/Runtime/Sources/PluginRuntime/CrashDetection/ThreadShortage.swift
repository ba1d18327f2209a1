import HostSystem
import Synchronization

/// Detects that the system refuses this process new threads, for which it would otherwise wait silently and forever.
///
/// ```swift
/// let isWatched = ThreadShortage.watch { _exit(75) }
/// ```
///
/// Limits on processes and on memory cause this (`ulimit -u`, `ulimit -v`). The code of bundles that ran meanwhile isn't blamed
/// for the end of the process.
public enum ThreadShortage {
    /// The interval between attempts to start a thread, and the number of failures in a row before the host is told.
    private static let (interval, patience) = (Duration.milliseconds(500), 3)

    /// Starts watching for a shortage of threads.
    ///
    /// - Parameter onShortage: called on a thread that receives all signals. It must not need another thread.
    /// - Returns: `false` when not even the thread of the watch could be started.
    public static func watch(_ onShortage: @escaping @Sendable () -> Void) -> Bool {
        let failures = Atomic<Int>(0)
        return HangWatch.shared.call(every: interval) {
            guard isThere else { return failures.store(0, ordering: .relaxed) }
            guard failures.add(1, ordering: .relaxed).newValue == patience else { return }
            note()
            onShortage()
        }
    }

    /// Stops watching, when no work is pending that could wait for a thread.
    public static func end() { HangWatch.shared.call(every: interval, nil) }

    /// A Boolean value that indicates whether the system currently refuses a thread.
    static var isThere: Bool { !SystemThreads.isOneAvailable }

    /// Records the shortage in all crash logs, so that the end of the process counts against no version.
    static func note() { CrashNotes.write(CrashLog.shortage) }
}
