import Synchronization

/// The marks of intervals of work in this process, which do nothing unless a host records them.
///
/// A process has one recorder, because its threads work for all sessions.
///
/// ```swift
/// let interval = Tracing.begin(.load, identity.description)
/// defer { interval?.end() }
/// ```
public enum Tracing {
    /// A closure that receives each interval when it has ended, on any thread.
    public typealias Recorder = @Sendable (TraceInterval) -> Void

    private static let recorder = Mutex<Recorder?>(nil)
    private static let isRecording = Atomic<Bool>(false)

    /// A Boolean value that indicates whether intervals are recorded.
    public static var isOn: Bool { isRecording.load(ordering: .relaxed) }

    /// Records the intervals that end from now on, in place of an earlier recorder; `nil` records none.
    public static func record(_ recorder: Recorder?) {
        self.recorder.withLock { $0 = recorder }
        isRecording.store(recorder != nil, ordering: .relaxed)
    }

    /// Begins an interval; `nil` if nobody records.
    ///
    /// - Parameters:
    ///   - category: The kind of work.
    ///   - name: The subject of the work, which is only evaluated while intervals are recorded.
    ///   - track: The number of the chain of requests that the work belongs to, or 0.
    ///   - caller: The caller that asked for the work, or nil if it is unknown.
    public static func begin(
        _ category: TraceCategory, _ name: @autoclosure () -> String, track: @autoclosure () -> UInt64 = 0,
        caller: @autoclosure () -> String? = nil
    ) -> OpenTraceInterval? {
        guard isOn else { return nil }
        let now = ContinuousClock.now
        return OpenTraceInterval(
            interval: TraceInterval(
                category: category, name: name(), track: track(), caller: caller(), start: now, end: now))
    }

    fileprivate static func add(_ interval: TraceInterval) { recorder.withLock { $0 }?(interval) }
}

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
    public fileprivate(set) var end: ContinuousClock.Instant
}

/// An interval of work that has not ended.
public struct OpenTraceInterval: Sendable {
    fileprivate let interval: TraceInterval

    /// Ends the interval, and passes it to the recorder.
    public func end() {
        var ended = interval
        ended.end = ContinuousClock.now
        Tracing.add(ended)
    }
}
