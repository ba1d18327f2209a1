internal import CSystem
internal import Synchronization

/// The text that plugins write to standard output through the C library, as `print` does.
///
/// ```swift
/// PluginOutput.take { bytes, bundle in
///     log("\(bundle ?? "a plugin"): \(String(decoding: bytes, as: UTF8.self))")
/// }
/// ```
public enum PluginOutput {
    /// Takes a line, or a piece of a long one, and the identifier of the bundle that wrote it; `nil` where that is not known.
    public typealias Taker = @Sendable (_ bytes: UnsafeRawBufferPointer, _ bundle: String?) -> Void

    /// Around the closure, because a generic type that holds it bare wraps it once more at each access.
    private struct Receiver: Sendable {
        let take: Taker
    }

    private static let receiver = Mutex<Receiver?>(nil)

    /// Hands each line that is written from now on to `taker`, on the thread that writes it, and writes it nowhere else.
    ///
    /// What is written to descriptor 1 by other means, such as a child process, does not come here.
    ///
    /// - Returns: `false` when there is no memory for it.
    public static func take(_ taker: @escaping Taker) -> Bool {
        receiver.withLock { $0 = Receiver(take: taker) }
        return plugin_output_take { bytes, count, owner in
            let receiver = PluginOutput.receiver.withLock { $0 }
            // The version is of no interest: several versions of a bundle write under its identifier.
            let bundle = owner.map { String(String(cString: $0).prefix { $0 != "@" }) }
            receiver?.take(UnsafeRawBufferPointer(start: bytes, count: count), bundle)
        }
    }

    /// Hands over what was written without the end of its line.
    public static func flush() {
        plugin_output_flush()
    }
}
