import CProcesses
import Dispatch
import Glibc
import HostSystem
package import PluginCore
import Synchronization

/// The output of a program that this process starts: its first lines are reported, and its last bytes are kept.
///
/// A thread reads until the program has ended. A program that writes faster than that loses output, but never waits, and this process never
/// holds more than the limits.
///
/// ```swift
/// let output = try ProcessOutput { line in log(line) }
/// defer { output.closeWriter() }
/// let process = try SpawnedProcess(program, arguments: [], environment: [], inheriting: [], output: output.writer)
/// ```
package final class ProcessOutput: Sendable {
    /// The number of bytes that are kept.
    package static let keptSize = 4 << 10
    /// The number of bytes in lines that are reported. A last line says that there is more.
    package static let reportedSize = 16 << 10
    /// The number of bytes after which a line is divided.
    private static let lineSize = 1 << 10
    /// The number of bytes that are read at once, which are also those that a pipe holds.
    private static let bufferSize = 64 << 10

    private struct State {
        var writer: OpenFile?
        var last: [UInt8] = []
    }

    private let reader: OpenFile
    private let state: Mutex<State>
    private let hasEnded = DispatchSemaphore(value: 0)

    /// The descriptor for the program's standard output and standard error.
    package var writer: Int32 { state.withLock { $0.writer?.raw ?? -1 } }

    /// Starts reading.
    ///
    /// - Parameter report: Receives the first lines, on a thread of its own.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package init(report: @escaping @Sendable (String) -> Void) throws(AtriumError) {
        var ends: [Int32] = [-1, -1]
        // Neither end waits: the program's output is less important than its work.
        try OpenFile.call("creatingFailed", "pipe") { pipe2(&ends, O_CLOEXEC | O_NONBLOCK) }
        reader = OpenFile(ends[0], at: "pipe")
        state = Mutex(State(writer: OpenFile(ends[1], at: "pipe")))
        try DetachedThread.run { self.read(report) }
    }

    /// Closes this process's copy of the program's end, without which the end of the output cannot be noticed.
    package func closeWriter() { state.withLock { $0.writer = nil } }

    /// Waits until all output was read, for a limited time, and returns its last bytes as text, or nil if there were none.
    package func finish(milliseconds: Int) -> String? {
        // Others may wait, too.
        if hasEnded.wait(timeout: .now() + .milliseconds(milliseconds)) == .success { hasEnded.signal() }
        let last = state.withLock { $0.last.suffix(Self.keptSize) }
        let text = String(decoding: last, as: UTF8.self)
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    private func read(_ report: (String) -> Void) {
        var lines = ReportedLines(limit: Self.reportedSize, lineSize: Self.lineSize)
        withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 16) { buffer in
            while true {
                var watched = pollfd(fd: reader.raw, events: Int16(POLLIN), revents: 0)
                _ = poll(&watched, 1, -1)
                let count = Glibc.read(reader.raw, buffer.baseAddress, buffer.count)
                if count < 0, [EAGAIN, EINTR].contains(errno) { continue }
                guard count > 0 else { break }
                let bytes = buffer[..<count]
                state.withLock { state in
                    state.last += bytes.suffix(Self.keptSize)
                    state.last.removeFirst(max(0, state.last.count - Self.keptSize))
                }
                for line in lines.add(bytes) { report(line) }
                // A flood must not occupy a processor.
                if count == buffer.count { usleep(1_000) }
            }
        }
        if let line = lines.rest { report(line) }
        hasEnded.signal()
    }
}

/// The division of the first bytes of an output into lines.
private struct ReportedLines {
    private var left: Int
    private let lineSize: Int
    private var line: [UInt8] = []

    init(limit: Int, lineSize: Int) {
        left = limit
        self.lineSize = lineSize
    }

    /// Returns the lines that end in some bytes.
    mutating func add(_ bytes: some Sequence<UInt8>) -> [String] {
        guard left > 0 else { return [] }
        var lines: [String] = []
        for byte in bytes {
            left -= 1
            if byte != UInt8(ascii: "\n") { line.append(byte) }
            if byte == UInt8(ascii: "\n") || line.count == lineSize || left == 0 {
                lines += rest.map { [$0] } ?? []
                line = []
            }
            if left == 0 { return lines + ["(more output is not shown)"] }
        }
        return lines
    }

    /// The unfinished line, or nil if there is nothing in it.
    var rest: String? { line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
}
