/// The kind of work that an interval measures.
public enum TraceCategory: String, Hashable, Sendable {
    /// A command of the command line, from its arguments to its result.
    case command
    /// Choosing the versions for a change.
    case resolve
    /// Installing or updating bundles, with their downloads.
    case install
    /// Verifying and loading a library.
    case load
    /// Opening an address, with everything that it leads to.
    case route
    /// Calling an action of a target.
    case action
    /// Creating a service.
    case service
    /// Delivering an event.
    case event
    /// A request of an extension, with the start of its process.
    case `extension`
}

/// A finished interval of work.
public struct TraceInterval: Sendable {
    /// The kind of work.
    public let category: TraceCategory
    /// The subject of the work, such as an address.
    public let name: String
    /// The work that the interval is a part of: the number of a chain of requests, or 0 for work outside of all requests.
    public let track: UInt64
    /// The caller that asked for the work, such as `plugin com.example.app.shop`, or nil if it is unknown.
    public let caller: String?
    /// The beginning.
    public let start: ContinuousClock.Instant
    /// The end.
    public let end: ContinuousClock.Instant
}

/// An interval of work that has not ended.
public struct OpenTraceInterval: Sendable {
    let category: TraceCategory
    let name: String
    let track: UInt64
    let caller: String?
    let start: ContinuousClock.Instant

    /// Ends the interval, and passes it to the recorder.
    public func end() {
        Tracing.add(
            TraceInterval(
                category: category, name: name, track: track, caller: caller, start: start, end: ContinuousClock.now))
    }
}
