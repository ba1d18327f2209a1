/// A process that a test talks to while it runs. It is killed when nobody holds it any more.
///
/// One test talks to it, one call after the other.
///
/// ```swift
/// let shell = try host.start("shell")
/// try await shell.send("open app://shop\n")
/// let page = try await shell.wait(for: "(item-7)\n")
/// let result = try await shell.end()
/// #expect(result.status == 0)
/// ```
public final class RunningProcess: Sendable {
    /// How long each call waits unless it is told otherwise.
    public static let patience = Duration.seconds(600)

    private let command: String
    private let input: ProcessInput
    private let supervisor: ProcessSupervisor
    /// Such as the sandbox it works in, which must not go before it.
    private let held: [any Sendable]

    init(
        _ child: Int32, _ command: String, input: ProcessInput, output: Int32, error: Int32?,
        holding held: [any Sendable]
    ) {
        self.held = held
        self.command = command
        self.input = input
        supervisor = ProcessSupervisor(child)
        supervisor.start(output: output, error: error)
    }

    deinit {
        kill()
    }

    /// The process's number.
    public var identifier: Int32 { supervisor.child }

    /// All standard output so far; on a terminal all output, with what was typed where the terminal echoes it.
    public var stdout: String { String(decoding: supervisor.transcript.content.output, as: UTF8.self) }

    /// All standard error so far.
    public var stderr: String { String(decoding: supervisor.transcript.content.error, as: UTF8.self) }

    /// Types a text; a line needs its `\n`.
    ///
    /// - Throws: ``ProcessFailure/inputClosed`` when the process does not take it, at all or in time.
    public func send(_ text: String, timeout: Duration = patience) async throws(ProcessFailure) {
        guard await input.write(Array(text.utf8), timeout: timeout) else { throw .inputClosed }
    }

    /// Ends the input: closes the pipe, or types Control-D on a terminal, which ends it only at the start of a line.
    public func closeInput() {
        input.close()
    }

    /// Waits until standard output has a text, after what was waited for before.
    ///
    /// - Returns: all that came up to and with the text.
    /// - Throws: ``ProcessFailure``, `timedOut` or `ended`.
    @discardableResult
    public func wait(for text: String, timeout: Duration = patience) async throws(ProcessFailure) -> String {
        let wanted = Array(text.utf8)
        let found = await supervisor.transcript.wait(timeout) { content -> Finding? in
            if let end = content.output.end(of: wanted, from: content.read) { return .text(content.take(to: end)) }
            return content.ending.map { .end($0) }
        }
        return try unwrap(found, "\"\(text)\"", timeout)
    }

    /// Waits until standard error has a text, wherever in all that it has said.
    ///
    /// - Throws: ``ProcessFailure``, `timedOut` or `ended`.
    public func wait(forError text: String, timeout: Duration = patience) async throws(ProcessFailure) {
        let wanted = Array(text.utf8)
        let found = await supervisor.transcript.wait(timeout) { content -> Finding? in
            if content.error.end(of: wanted, from: 0) != nil { return .text(text) }
            return content.ending.map { .end($0) }
        }
        _ = try unwrap(found, "\"\(text)\" on standard error", timeout)
    }

    /// Waits for a whole line of standard output, after what was waited for before.
    ///
    /// - Returns: the line without its end, which is `\r\n` on a terminal; `nil` when the process has ended, and what is
    ///   left without an end of line is a line too.
    /// - Throws: ``ProcessFailure``, `timedOut`.
    public func nextLine(timeout: Duration = patience) async throws(ProcessFailure) -> String? {
        let found = await supervisor.transcript.wait(timeout) { content -> Finding? in
            if let end = content.output.end(of: [0x0A], from: content.read) { return .text(content.take(to: end)) }
            guard let ending = content.ending else { return nil }
            return content.read < content.output.count ? .text(content.take(to: content.output.count)) : .end(ending)
        }
        if case .end = found { return nil }
        let line = try unwrap(found, "a line", timeout)
        return String(line.reversed().drop { $0.isNewline }.reversed())
    }

    /// Waits for the end of the process.
    ///
    /// - Throws: ``ProcessFailure``, `timedOut`; the process and all that it has started is killed then.
    public func result(timeout: Duration = patience) async throws(ProcessFailure) -> ProcessResult {
        try await result(before: .now + timeout, ofWaiting: timeout)
    }

    /// - Parameter timeout: what to say when the time is over; some of it may have gone before this is called.
    func result(
        before deadline: ContinuousClock.Instant, ofWaiting timeout: Duration
    ) async throws(ProcessFailure) -> ProcessResult {
        if let status = await supervisor.transcript.wait(deadline - .now, until: { $0.ending }) {
            return result(status)
        }
        kill()
        // What was said until then belongs into the message; a process that even SIGKILL does not end is not waited for.
        _ = await supervisor.transcript.wait(.seconds(5)) { $0.ending }
        throw .timedOut(waitingFor: "the end of \(command)", after: timeout, stdout: stdout, stderr: stderr)
    }

    /// Ends the input and waits for the end of the process; see ``closeInput()`` and ``result(timeout:)``.
    public func end(timeout: Duration = patience) async throws(ProcessFailure) -> ProcessResult {
        closeInput()
        return try await result(timeout: timeout)
    }

    /// Sends a signal to the process alone, such as `SIGTERM`.
    public func signal(_ number: Int32) {
        supervisor.signal(number)
    }

    /// Kills the process and all that it has started, at once.
    public func kill() {
        supervisor.signal(System.killSignal, group: true)
    }

    /// Changes the terminal's size, as who drags the corner of a window does. Nothing without a terminal.
    public func resize(columns: UInt16, rows: UInt16) {
        if input.isTerminal { input.resize(columns: columns, rows: rows) }
    }
}

extension RunningProcess {
    private enum Finding: Sendable {
        case text(String)
        case end(Int32)
    }

    private func unwrap(
        _ found: Finding?, _ awaited: String, _ timeout: Duration
    ) throws(ProcessFailure) -> String {
        switch found {
        case .text(let text): return text
        case .end(let status): throw .ended(waitingFor: awaited, result(status))
        case nil: throw .timedOut(waitingFor: awaited, after: timeout, stdout: stdout, stderr: stderr)
        }
    }

    /// From a wait status (POSIX `<sys/wait.h>`, as Linux and macOS lay it out).
    private func result(_ status: Int32) -> ProcessResult {
        let signal = status & 0x7F
        return ProcessResult(
            command: command, status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            signal: signal == 0 ? nil : signal, stdout: stdout, stderr: stderr)
    }
}

extension ProcessTranscript.Content {
    /// What comes next, up to an index; it counts as waited for.
    fileprivate mutating func take(to end: Int) -> String {
        defer { read = end }
        return String(decoding: output[read..<end], as: UTF8.self)
    }
}

extension [UInt8] {
    /// The index behind the first occurrence of `wanted` at or after `start`.
    fileprivate func end(of wanted: [UInt8], from start: Int) -> Int? {
        guard !wanted.isEmpty else { return start }
        var index = start
        while index + wanted.count <= count {
            if self[index] == wanted[0], self[index..<(index + wanted.count)].elementsEqual(wanted) {
                return index + wanted.count
            }
            index += 1
        }
        return nil
    }
}
