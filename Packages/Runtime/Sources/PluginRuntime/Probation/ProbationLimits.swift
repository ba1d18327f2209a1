/// How long code of a version that has not run successfully may hold its thread, and how long the version is watched.
public struct ProbationLimits: Hashable, Sendable {
    /// For opening the library and starting the principal object.
    public var load: Duration
    /// For a call, for showing a page, and for what the code does on the main actor by itself. Showing a page is bounded for
    /// versions that have run successfully too.
    public var firstUse: Duration
    /// How long a version has to go on without a crash after its first use has come back, unless the session ends before.
    public var settling: Duration

    /// Sets the limits.
    public init(
        load: Duration = .seconds(20), firstUse: Duration = .seconds(20), settling: Duration = .seconds(5)
    ) {
        self.load = load
        self.firstUse = firstUse
        self.settling = settling
    }

    subscript(phase: ProbationPhase) -> Duration {
        switch phase {
        case .load: load
        case .firstUse, .page, .pageAction, .running: firstUse
        }
    }
}
