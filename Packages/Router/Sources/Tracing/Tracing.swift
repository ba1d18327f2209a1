internal import Synchronization

/// The marks of intervals of work in this process, which do nothing unless a host records them.
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
        return OpenTraceInterval(
            category: category, name: name(), track: track(), caller: caller(), start: ContinuousClock.now)
    }

    static func add(_ interval: TraceInterval) { recorder.withLock { $0 }?(interval) }
}
