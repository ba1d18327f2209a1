public import PluginCore

/// A deadline for the process of an extension or of an isolated plugin.
public struct ProcessDeadline: Hashable, Sendable {
    /// A phase of the process's life that has a deadline.
    public enum Phase: String, Sendable {
        case start, request, end
        /// The response of a plugin's main thread while a call waits.
        case response
    }

    /// The phase that must end in time.
    public let phase: Phase
    /// The time in seconds.
    public let seconds: Double

    /// Creates a deadline.
    public init(_ phase: Phase, seconds: Double) {
        self.phase = phase
        self.seconds = seconds
    }

    /// The reason in the error for a process that missed the deadline.
    public var failureReason: ErrorReason {
        let values: [String: ErrorReason.Value] = ["seconds": "\(seconds)"]
        return switch phase {
        case .start: ErrorReason("startTimedOut", values)
        case .request: ErrorReason("requestTimedOut", values)
        case .end: ErrorReason("endTimedOut", values)
        case .response: ErrorReason("responseTimedOut", values)
        }
    }
}
