/// Takes what a bundle has to say to whoever runs the host.
public struct BundleLogger: Sendable {
    /// How much a message matters.
    public enum Level: String, Sendable, Comparable, CaseIterable {
        /// For whoever writes the plugin.
        case debug
        /// For whoever runs the host.
        case info
        /// Something is wrong, and the bundle went on.
        case error

        /// By importance.
        public static func < (one: Level, other: Level) -> Bool {
            allCases.firstIndex(of: one) ?? 0 < allCases.firstIndex(of: other) ?? 0
        }
    }

    private let sink: @Sendable (Level, String) -> Void

    /// A logger that hands each message to `sink`, on whatever thread it is written.
    public init(sink: @escaping @Sendable (Level, String) -> Void) {
        self.sink = sink
    }

    /// Writes a message at a level.
    public func log(_ level: Level, _ message: String) { sink(level, message) }
    /// Writes a message for the plugin's author.
    public func debug(_ message: String) { sink(.debug, message) }
    /// Writes a message for the host's keeper.
    public func info(_ message: String) { sink(.info, message) }
    /// Writes a message about something that is wrong.
    public func error(_ message: String) { sink(.error, message) }
}
