internal import CSystem
internal import Synchronization

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
    private struct Receiver: Sendable {
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
