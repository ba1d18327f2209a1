internal import CSystem

/// The end of a process that runs plugins, which only the host may initiate.
///
/// A plugin shares its host's process, and the C library lets any code end it. In a protected process, such a call counts as a
/// crash of the plugin: it is reported, and the process exits with the status of a crash. The host ends the process with
/// ``now(as:status:)``, which runs no plugin code. See Documentation/Decisions/0011-only-the-host-ends-the-process.md.
///
/// ```swift
/// ProcessEnd.protect(status: 70, descriptor: 2) { bundle, function in
///     "error: \(bundle) called \(function)()\n"
/// }
/// let status = await runHost()
/// ProcessEnd.now(status: status)
/// ```
public enum ProcessEnd {
    /// The time limit for flushing C streams, in seconds, because a plugin may hold the lock of a stream forever.
    private static let patience: UInt32 = 2

    /// Treats a call by plugin code that ends the process or replaces its program as a crash of the plugin.
    ///
    /// Covers `exit`, `quick_exit`, `_exit`, `_Exit` and the `exec` family, on any thread. A child made by `fork` may call them.
    ///
    /// - Parameters:
    ///   - status: the exit status of such a crash.
    ///   - descriptor: the descriptor to which the report is written.
    ///   - report: returns the report for a bundle and a function. It is called immediately, with placeholders for both.
    public static func protect(
        status: Int32, descriptor: Int32, report: (_ bundle: String, _ function: String) -> String
    ) {
        // Placeholders from Unicode's private use area, which text for people does not contain.
        let (bundle, function) = ("\u{E000}", "\u{E001}")
        process_end_guard(status, descriptor, report(bundle, function), bundle, function, "a plugin")
    }

    /// The parts of a host that may end a process.
    public enum Ender: Sendable {
        /// The host's command, when it has finished.
        case command
        /// The watch that gives up on a hanging plugin while the command waits for it.
        case watch

        fileprivate var number: process_ender {
            switch self {
            case .command: process_ender_command
            case .watch: process_ender_watch
            }
        }
    }

    /// Claims the right to write the final output and end the process.
    ///
    /// Blocks forever when a plugin or the other ender already has it, because that one ends the process.
    public static func claim(as ender: Ender = .command) {
        process_end_claim(ender.number)
    }

    /// Ends the process after flushing the C streams, without running exit handlers that plugins have registered.
    public static func now(as ender: Ender = .command, status: Int32) -> Never {
        process_end_now(ender.number, status, patience)
    }
}
