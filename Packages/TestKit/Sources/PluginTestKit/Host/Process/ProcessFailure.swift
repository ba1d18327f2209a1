/// The failure of a process under test, with all of its output.
public enum ProcessFailure: Error, Sendable, CustomStringConvertible {
    /// The system could not start the process.
    case notStarted(command: String, reason: String)
    /// The process neither ended nor wrote the expected text in time. It was killed if its end was expected.
    case timedOut(waitingFor: String, after: Duration, stdout: String, stderr: String)
    /// The process ended without writing the expected text.
    case ended(waitingFor: String, ProcessResult)
    /// The process no longer reads its input.
    case inputClosed
    /// The standard output is not the expected JSON document.
    case notJSON(reason: String, ProcessResult)

    /// A description for a failing test.
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
