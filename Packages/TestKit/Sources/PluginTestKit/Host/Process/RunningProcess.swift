import Dispatch
import Glibc
import HostSystem
import Processes

/// A running process that a test communicates with. It is killed when the last reference is released.
///
/// Only one test may use it, with one call at a time.
///
/// ```swift
/// let shell = try host.start("shell")
/// try await shell.send("open app://shop\n")
/// let page = try await shell.wait(for: "(gift)\n")
/// let result = try await shell.end()
/// #expect(result.status == 0)
/// ```
public final class RunningProcess: Sendable {
    /// The default time limit of each call.
    public static let patience = Duration.seconds(600)

    /// The output so far, and the end.
    struct Transcript {
        var output: [UInt8] = []
        var error: [UInt8] = []
        /// The number of bytes of the output that were already returned.
        var read = 0
        /// The end of the process, set after the process has ended and all of its output was read.
        var ending: SpawnedProcess.End?
    }

    typealias Stream = WritableKeyPath<Transcript, [UInt8]> & Sendable

    /// The maximum size of a stream in bytes. Further output is dropped, so an endless program cannot exhaust the memory.
    private static let limit = 64 << 20
    /// The maximum time between the end of the process and the end of its output.
    ///
    /// A child process in another session may keep the output open forever.
    private static let grace = DispatchTimeInterval.seconds(5)

    private let command: String
    private let input: ProcessInput
    private let process: SpawnedProcess
    private let transcript = Watched(Transcript())
    /// The objects that must outlive the process, such as its sandbox.
    private let held: [any Sendable]

    init(
        _ process: SpawnedProcess, _ command: String, input: ProcessInput, _ streams: [(OpenFile, any Stream)],
        holding held: [any Sendable]
    ) {
        self.held = held
        self.command = command
        self.input = input
        self.process = process
        let readers = DispatchGroup()
        for (file, stream) in streams {
            DispatchQueue(label: "process output").async(group: readers) { [transcript] in
                while let bytes = try? file.next() {
                    transcript.update { if $0[keyPath: stream].count < Self.limit { $0[keyPath: stream] += bytes } }
                }
            }
        }
        DispatchQueue(label: "process end").async { [transcript] in
            while !process.wait(milliseconds: .max) {}
            // The process is still a zombie, so its number is not reused yet. Its remaining children are killed with it.
            process.signal(SIGKILL, toGroup: true)
            let end = process.reap()
            _ = readers.wait(timeout: .now() + Self.grace)
            transcript.update { $0.ending = end }
        }
    }

    deinit {
        kill()
    }

    /// The process identifier.
    public var identifier: Int32 { process.number }

    /// All standard output so far, or on a terminal all output, including echoed input.
    public var stdout: String { String(decoding: transcript.value.output, as: UTF8.self) }

    /// All standard error so far.
    public var stderr: String { String(decoding: transcript.value.error, as: UTF8.self) }

    /// Writes a text to the input. A line must end with a newline.
    ///
    /// - Throws: ``ProcessFailure/inputClosed`` if the process does not read it, at all or in time.
    public func send(_ text: String, timeout: Duration = patience) async throws(ProcessFailure) {
        guard await input.write(Array(text.utf8), timeout: timeout) else { throw .inputClosed }
    }

    /// Ends the input by closing the pipe, or on a terminal by Control-D, which is effective only at the start of a line.
    public func closeInput() {
        input.close()
    }

    /// Waits until the standard output contains a text after the part that was already returned.
    ///
    /// - Returns: The output up to the end of the text.
    /// - Throws: ``ProcessFailure``, with `timedOut` or `ended`.
    @discardableResult
    public func wait(for text: String, timeout: Duration = patience) async throws(ProcessFailure) -> String {
        try await find("\"\(text)\"", timeout) { $0.take(through: Array(text.utf8)) }
    }

    /// Waits until the standard error contains a text at any position.
    ///
    /// - Throws: ``ProcessFailure``, with `timedOut` or `ended`.
    public func wait(forError text: String) async throws(ProcessFailure) {
        let wanted = Array(text.utf8)
        _ = try await find("\"\(text)\" on standard error", Self.patience) { $0.error.firstRange(of: wanted) }
    }

    /// Waits for the next complete line of the standard output.
    ///
    /// - Returns: The line without its ending, or `nil` if the process has ended. A last line without an ending counts as a line.
    /// - Throws: ``ProcessFailure``, with `timedOut`.
    public func nextLine(timeout: Duration = patience) async throws(ProcessFailure) -> String? {
        let line = try await find("a line", timeout) { content -> String?? in
            if let line = content.take(through: [0x0A]) { return line }
            guard content.ending != nil else { return nil }
            return .some(content.read < content.output.count ? content.take(to: content.output.count) : nil)
        }
        return line.map { String($0.reversed().drop { $0.isNewline }.reversed()) }
    }

    /// Waits for the end of the process.
    ///
    /// - Throws: ``ProcessFailure``, with `timedOut` after killing the process and its children.
    public func result(timeout: Duration = patience) async throws(ProcessFailure) -> ProcessResult {
        try await result(before: .now + timeout, ofWaiting: timeout)
    }

    /// - Parameter timeout: The original time limit for the error message, part of which may already be over.
    func result(
        before deadline: ContinuousClock.Instant, ofWaiting timeout: Duration
    ) async throws(ProcessFailure) -> ProcessResult {
        if let status = await transcript.wait(deadline - .now, until: { $0.ending }) { return result(status) }
        kill()
        // The message should contain the complete output, but a process that survives SIGKILL is not waited for.
        _ = await transcript.wait(.seconds(5)) { $0.ending }
        throw .timedOut(waitingFor: "the end of \(command)", after: timeout, stdout: stdout, stderr: stderr)
    }

    /// Ends the input and waits for the end of the process.
    ///
    /// See ``closeInput()`` and ``result(timeout:)``.
    public func end(timeout: Duration = patience) async throws(ProcessFailure) -> ProcessResult {
        closeInput()
        return try await result(timeout: timeout)
    }

    /// Sends a signal to the process alone.
    public func signal(_ number: Int32) {
        process.signal(number)
    }

    /// Kills the process and its children.
    public func kill() {
        process.signal(SIGKILL, toGroup: true)
    }

    /// Waits until a closure finds something in the output, which it may find even at the end.
    private func find<Found: Sendable>(
        _ awaited: String, _ timeout: Duration, _ body: (inout Transcript) -> Found?
    ) async throws(ProcessFailure) -> Found {
        let found = await transcript.wait(timeout) { content -> (found: Found?, ending: SpawnedProcess.End?)? in
            let found = body(&content)
            return found == nil && content.ending == nil ? nil : (found, content.ending)
        }
        if let found = found?.found { return found }
        if let ending = found?.ending { throw .ended(waitingFor: awaited, result(ending)) }
        throw .timedOut(waitingFor: awaited, after: timeout, stdout: stdout, stderr: stderr)
    }

    private func result(_ end: SpawnedProcess.End) -> ProcessResult {
        let (status, signal): (Int32, Int32?) =
            switch end {
            case .exited(let status): (status, nil)
            case .signaled(let signal): (128 + signal, signal)
            }
        return ProcessResult(command: command, status: status, signal: signal, stdout: stdout, stderr: stderr)
    }
}

extension RunningProcess.Transcript {
    /// Returns the output up to the end of the next occurrence of some bytes, and marks it as returned; nil if there is none.
    fileprivate mutating func take(through wanted: [UInt8]) -> String? {
        output[read...].firstRange(of: wanted).map { take(to: $0.upperBound) }
    }

    /// Returns the output up to an index and marks it as returned.
    fileprivate mutating func take(to end: Int) -> String {
        defer { read = end }
        return String(decoding: output[read..<end], as: UTF8.self)
    }
}
