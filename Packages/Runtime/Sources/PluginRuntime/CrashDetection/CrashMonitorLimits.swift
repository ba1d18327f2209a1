/// The time limits for code of versions that haven't run successfully, and the time until they count as having done so.
public struct CrashMonitorLimits: Hashable, Sendable {
    /// The limit for opening the library and creating the principal object.
    public var load: Duration
    /// The limit for a call, for showing a page, and for the code's own tasks on the main actor.
    ///
    /// For showing a page, it also applies to versions that have run successfully.
    public var firstUse: Duration
    /// The time without a crash after the first use, unless the session ends before.
    public var settling: Duration

    /// Creates limits.
    public init(
        load: Duration = .seconds(20), firstUse: Duration = .seconds(20), settling: Duration = .seconds(5)
    ) {
        self.load = load
        self.firstUse = firstUse
        self.settling = settling
    }

    subscript(phase: ExecutionPhase) -> Duration {
        switch phase {
        case .load: load
        case .firstUse, .page, .pageAction, .running: firstUse
        }
    }
}
