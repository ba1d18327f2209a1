public import PluginCore

/// A deadline for the process of an extension or of an isolated plugin.
public struct ProcessDeadline: Hashable, Sendable {
    /// The task that must be done in time.
    public enum Task: String, Sendable {
        case start, request, end
        /// The main thread of a plugin must respond while a call waits.
        case response
    }

    /// The task that must be done in time.
    public let task: Task
    /// The time in seconds.
    public let seconds: Double

    /// Creates a deadline.
    public init(_ task: Task, seconds: Double) {
        self.task = task
        self.seconds = seconds
    }

    /// The reason of the error for a process that has missed the deadline.
    public var missed: ErrorReason {
        let values: [String: ErrorReason.Value] = ["seconds": "\(seconds)"]
        return switch task {
        case .start: ErrorReason("startTimedOut", values)
        case .request: ErrorReason("requestTimedOut", values)
        case .end: ErrorReason("endTimedOut", values)
        case .response: ErrorReason("responseTimedOut", values)
        }
    }
}
