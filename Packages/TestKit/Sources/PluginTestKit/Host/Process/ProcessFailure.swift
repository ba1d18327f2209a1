/// Why a process that a test runs did not do what the test waited for; says all that the process has said.
public enum ProcessFailure: Error, Sendable, CustomStringConvertible {
    /// The system did not start it.
    case notStarted(command: String, reason: String)
    /// It neither ended nor said what was waited for in time. It has been killed if its end was waited for.
    case timedOut(waitingFor: String, after: Duration, stdout: String, stderr: String)
    /// It ended without having said what was waited for.
    case ended(waitingFor: String, ProcessResult)
    /// It no longer takes input.
    case inputClosed
    /// Its standard output is no such JSON document.
    case notJSON(reason: String, ProcessResult)

    /// A paragraph for a failing test.
    public var description: String {
        switch self {
        case .notStarted(let command, let reason): "\(command) could not be started: \(reason)"
        case .timedOut(let awaited, let time, let stdout, let stderr):
            "\(awaited) did not come within \(time)\n--- stdout\n\(stdout)\n--- stderr\n\(stderr)"
        case .ended(let awaited, let result): "\(awaited) never came; \(result)"
        case .inputClosed: "the process no longer takes input"
        case .notJSON(let reason, let result): "no JSON as expected (\(reason)); \(result)"
        }
    }
}
