public import PluginCore
internal import Synchronization

/// What a bundle logged.
public final class TestLog: Sendable {
    /// One message.
    public struct Line: Hashable, Sendable {
        /// How much it matters.
        public let level: BundleLogger.Level
        /// What it says.
        public let message: String
    }

    private let collected = Mutex<[Line]>([])

    /// A log without lines.
    public init() {}

    /// All lines so far, in order.
    public var lines: [Line] {
        collected.withLock { $0 }
    }

    /// The messages of the lines of one level, in order.
    public func messages(_ level: BundleLogger.Level) -> [String] {
        lines.filter { $0.level == level }.map(\.message)
    }

    func append(_ level: BundleLogger.Level, _ message: String) {
        collected.withLock { $0.append(Line(level: level, message: message)) }
    }
}
