/// The log of a bundle.
public struct BundleLogger: Sendable {
    /// The importance of a log message.
    public enum Level: String, Sendable, Comparable, CaseIterable {
        /// A message for the plugin's author.
        case debug
        /// A message for the person who runs the host.
        case info
        /// A message about a problem from which the bundle recovered.
        case error

        /// Compares two levels by importance.
        public static func < (one: Level, other: Level) -> Bool {
            allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
        }
    }

    private let sink: @Sendable (Level, String) -> Void

    /// Creates a logger that passes each message to a closure, on the thread that logs it.
    public init(sink: @escaping @Sendable (Level, String) -> Void) {
        self.sink = sink
    }

    /// Writes a message at a level.
    public func log(_ level: Level, _ message: String) { sink(level, message) }
    /// Writes a message for the plugin's author.
    public func debug(_ message: String) { sink(.debug, message) }
    /// Writes a message for the person who runs the host.
    public func info(_ message: String) { sink(.info, message) }
    /// Writes a message about a problem.
    public func error(_ message: String) { sink(.error, message) }
}
