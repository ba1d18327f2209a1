internal import CSystem

/// The end of a process that runs plugins, which is for the host alone to order.
///
/// A plugin shares its host's process, and the C library lets any code end it. In a protected process that is a crash of the
/// plugin: it is reported, and the process ends with the status of a crash. The host ends the process with ``now(status:)``, which
/// runs no code of a plugin.
///
/// ```swift
/// ProcessEnd.protect(status: 70, descriptor: 2) { bundle, function in
///     "error: \(bundle) called \(function)()\n"
/// }
/// let status = await runHost()
/// ProcessEnd.now(status: status)
/// ```
public enum ProcessEnd {
    /// How long what C streams hold may take to be written, in seconds: a plugin may hold a stream for ever.
    private static let patience: UInt32 = 2

    /// Makes it a crash of a plugin when its code calls a function that ends the process or replaces its program.
    ///
    /// Noticed are `exit`, `quick_exit`, `_exit`, `_Exit` and the `exec` family, on any thread. A child made by `fork` may call
    /// them.
    ///
    /// - Parameters:
    ///   - status: what the process ends with.
    ///   - descriptor: what the report is written to.
    ///   - report: makes the report of the bundle and the function. It is called now, with names that stand for both.
    public static func protect(
        status: Int32, descriptor: Int32, report: (_ bundle: String, _ function: String) -> String
    ) {
        // Two characters that no text has which is meant for people: Unicode keeps them for private use.
        let (bundle, function) = ("\u{E000}", "\u{E001}")
        process_end_guard(status, descriptor, report(bundle, function), bundle, function, "a plugin")
    }

    /// Who ends a process, besides a plugin.
    public enum Ender: Sendable {
        /// The host's command, which is done.
        case command
        /// Whoever gives up a plugin that hangs, while the command waits for it.
        case watch

        fileprivate var number: process_ender {
            switch self {
            case .command: process_ender_command
            case .watch: process_ender_watch
            }
        }
    }

    /// Takes the last word on standard output. Waits for ever when a plugin or the other ender has it: that one ends the process.
    public static func claim(as ender: Ender = .command) {
        process_end_claim(ender.number)
    }

    /// Ends the process: what C streams hold is written, and nothing runs that plugins have registered for the end.
    public static func now(as ender: Ender = .command, status: Int32) -> Never {
        process_end_now(ender.number, status, patience)
    }
}
