import FoundationEssentials

/// The exit status and the output of a process.
public struct ProcessResult: Sendable, CustomStringConvertible {
    /// The command line, for messages.
    public let command: String
    /// The exit status. After a signal, it is 128 plus the signal's number, as in shells.
    public let status: Int32
    /// The signal that ended the process, or nil.
    public let signal: Int32?
    /// The standard output, or all output of a process on a terminal. Invalid UTF-8 is replaced.
    public let stdout: String
    /// The standard error. Invalid UTF-8 is replaced.
    public let stderr: String

    /// The lines of the standard output without line endings.
    public var lines: [String] {
        // Swift treats "\r\n" as one character.
        let lines = stdout.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        return lines.last == "" ? lines.dropLast() : lines
    }

    /// Decodes the standard output, which must be exactly one JSON document.
    ///
    /// - Throws: ``ProcessFailure/notJSON(reason:_:)``.
    public func json<T: Decodable>(as type: T.Type = T.self) throws(ProcessFailure) -> T {
        try Result { try JSONDecoder().decode(type, from: Data(stdout.utf8)) }
            .mapError { ProcessFailure.notJSON(reason: "\($0)", self) }.get()
    }

    /// A description for a failing test.
    public var description: String {
        "\(command) ended with \(status)\n--- stdout\n\(stdout)\n--- stderr\n\(stderr)"
    }
}

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
