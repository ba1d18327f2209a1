import CProcesses
import Glibc
import HostSystem
import PluginCore
import Synchronization

/// This process.
package enum CurrentProcess {
    /// Its number.
    package static var number: Int32 { getpid() }

    /// Ends it at once, without running exit handlers.
    package static func end(status: Int32) -> Never { _exit(status) }

    /// Makes standard output unbuffered, so that no printed text is lost however the process ends.
    package static func unbufferOutput() { plugin_output_unbuffer() }

    /// Writes a line to standard error.
    package static func report(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

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
    ///   - report: returns the report for a bundle and a function. It is called on the thread that ends the process.
    public static func protect(
        status: Int32, descriptor: Int32, report: @escaping @Sendable (_ bundle: String, _ function: String) -> String
    ) {
        reporter.withLock { $0 = Reporter(descriptor: descriptor, report: report) }
        process_end_guard(status) { owner, function in
            guard let reporter = ProcessEnd.reporter.withLock({ $0 }) else { return }
            let text = reporter.report(owner.map { String(cString: $0) } ?? "a plugin", String(cString: function))
            try? OpenFile(copying: reporter.descriptor, at: "").append(Array(text.utf8))
        }
    }

    private struct Reporter {
        let descriptor: Int32
        let report: @Sendable (_ bundle: String, _ function: String) -> String
    }

    private static let reporter = Mutex<Reporter?>(nil)

    /// The parts of a host that may end a process.
    public enum Ender: UInt32, Sendable {
        /// The host's command, when it has finished.
        case command = 1
        /// The watch that gives up on a hanging plugin while the command waits for it.
        case watch
    }

    /// Claims the right to write the final output and end the process.
    ///
    /// Blocks forever when a plugin or the other ender already has it, because that one ends the process.
    public static func claim(as ender: Ender = .command) {
        process_end_claim(process_ender(ender.rawValue))
    }

    /// Ends the process after flushing the C streams, without running exit handlers that plugins have registered.
    public static func now(as ender: Ender = .command, status: Int32) -> Never {
        process_end_now(process_ender(ender.rawValue), status, patience)
    }
}

/// The text that plugins write to standard output through the C library.
///
/// ```swift
/// PluginOutput.take { bytes, bundle in
///     log("\(bundle ?? "a plugin"): \(String(decoding: bytes, as: UTF8.self))")
/// }
/// ```
public enum PluginOutput {
    /// Receives a line, or a part of a long line, and the identifier of the bundle that wrote it, if known.
    public typealias Taker = @Sendable (_ bytes: UnsafeRawBufferPointer, _ bundle: String?) -> Void

    /// Wraps the closure, because a generic type that stores a bare closure wraps it again on every access.
    private struct Receiver {
        let take: Taker
    }

    private static let receiver = Mutex<Receiver?>(nil)

    /// Passes every line that plugins write from now on to a closure, on the writing thread, instead of to standard output.
    ///
    /// Output that reaches descriptor 1 by other means, such as a child process, is not passed.
    ///
    /// - Returns: `false` when memory is exhausted.
    public static func take(_ taker: @escaping Taker) -> Bool {
        receiver.withLock { $0 = Receiver(take: taker) }
        return plugin_output_take { bytes, count, owner in
            let receiver = PluginOutput.receiver.withLock { $0 }
            // Only the identifier matters here: several versions of a bundle write under the same identifier.
            let bundle = owner.map { String(String(cString: $0).prefix { $0 != "@" }) }
            receiver?.take(UnsafeRawBufferPointer(start: bytes, count: count), bundle)
        }
    }

    /// Passes on the text of unfinished lines.
    public static func flush() {
        plugin_output_flush()
    }
}

/// A process that runs code which may crash or hang.
public enum ConfinedProcess {
    /// Makes this process end with its parent, and keeps it from writing a core file.
    ///
    /// - Parameter parent: the number of the parent, which may have ended already.
    public static func confine(to parent: Int32) { process_confine(parent) }
}
