internal import Dispatch
internal import FoundationEssentials
internal import HostSystem
internal import Synchronization

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
        do {
            return try JSONDecoder().decode(type, from: Data(stdout.utf8))
        } catch {
            throw .notJSON(reason: "\(error)", self)
        }
    }

    /// A description for a failing test.
    public var description: String {
        "\(command) ended with \(status)\n--- stdout\n\(stdout)\n--- stderr\n\(stderr)"
    }
}

/// The output of a process so far and its end. New output wakes those who wait for it.
final class ProcessTranscript: Sendable {
    enum Stream {
        case output
        case error
    }

    struct Content {
        var output: [UInt8] = []
        var error: [UInt8] = []
        /// The number of bytes of the output that were already returned.
        var read = 0
        /// The end of the process, set after the process has ended and all of its output was read.
        var ending: SpawnedProcess.End?
    }

    /// The maximum size of a stream in bytes. Further output is dropped, so an endless program cannot exhaust the memory.
    static let limit = 64 << 20

    private struct State {
        var content = Content()
        /// The waiting closures. Each returns whether it is done or has to give up.
        var waiters: [Int: (_ content: inout Content, _ isOver: Bool) -> Bool] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// The current content.
    var content: Content { state.withLock { $0.content } }

    func append(_ bytes: [UInt8], to stream: Stream) {
        update { content in
            switch stream {
            case .output: if content.output.count < Self.limit { content.output += bytes }
            case .error: if content.error.count < Self.limit { content.error += bytes }
            }
        }
    }

    func end(_ end: SpawnedProcess.End) {
        update { $0.ending = end }
    }

    /// Returns the first result of a closure that is not nil, called now and after each change, or nil after the time limit.
    func wait<Answer: Sendable>(
        _ timeout: Duration, until answer: @escaping @Sendable (inout Content) -> Answer?
    ) async -> Answer? {
        await withCheckedContinuation { continuation in
            let waiter: Int? = state.withLock { state in
                if let found = answer(&state.content) {
                    continuation.resume(returning: found)
                    return nil
                }
                state.count += 1
                state.waiters[state.count] = { content, isOver in
                    let found = answer(&content)
                    if found != nil || isOver { continuation.resume(returning: found) }
                    return found != nil || isOver
                }
                return state.count
            }
            guard let waiter else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + timeout.interval) { [weak self] in
                self?.expire(waiter)
            }
        }
    }

    private func update(_ change: (inout Content) -> Void) {
        state.withLock { state in
            change(&state.content)
            for number in state.waiters.keys.sorted() {
                if state.waiters[number]?(&state.content, false) == true { state.waiters[number] = nil }
            }
        }
    }

    private func expire(_ number: Int) {
        state.withLock { state in
            guard let waiter = state.waiters.removeValue(forKey: number) else { return }
            _ = waiter(&state.content, true)
        }
    }
}

extension Duration {
    /// The duration for Dispatch, at most an hour.
    fileprivate var interval: DispatchTimeInterval {
        let (seconds, fraction) = min(max(.zero, self), .seconds(3600)).components
        return .milliseconds(Int(seconds) * 1000 + Int(fraction / 1_000_000_000_000_000))
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
