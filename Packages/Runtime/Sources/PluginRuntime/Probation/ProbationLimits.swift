/// How long code that has not proven itself may hold its thread.
public struct ProbationLimits: Hashable, Sendable {
    /// For opening the library and starting the principal object.
    public var load: Duration
    /// For the first call.
    public var firstUse: Duration

    /// Sets both limits.
    public init(load: Duration = .seconds(20), firstUse: Duration = .seconds(20)) {
        self.load = load
        self.firstUse = firstUse
    }

    subscript(phase: ProbationPhase) -> Duration {
        switch phase {
        case .load: load
        case .firstUse: firstUse
        }
    }
}
