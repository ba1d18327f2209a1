public import PluginCore
internal import Synchronization

/// The log messages of a bundle.
public final class TestLog: Sendable {
    /// A log message.
    public struct Line: Hashable, Sendable {
        /// The importance.
        public let level: BundleLogger.Level
        /// The text.
        public let message: String
    }

    private let collected = Mutex<[Line]>([])

    /// Creates an empty log.
    public init() {}

    /// All messages so far, in order.
    public var lines: [Line] {
        collected.withLock { $0 }
    }

    /// Returns the texts of one level, in order.
    public func messages(_ level: BundleLogger.Level) -> [String] {
        lines.filter { $0.level == level }.map(\.message)
    }

    func append(_ level: BundleLogger.Level, _ message: String) {
        collected.withLock { $0.append(Line(level: level, message: message)) }
    }
}
