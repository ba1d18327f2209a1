import CProcesses
import Glibc
import HostSystem
public import PluginCore

/// A note that a process shares with its parent, in which it describes its crash or hang.
package final class ProcessCrash: Sendable {
    /// The descriptor, which the process inherits.
    package var descriptor: Int32 { file.raw }
    private let file: OpenFile
    /// The time that a process has to answer ``requestStack(of:)``, and the interval between checks, in milliseconds.
    private static let (patience, interval): (Int32, Int32) = (500, 5)
    /// The size of the note before the lines of the frames.
    private static let noteSize = MemoryLayout<process_crash_t>.size

    /// Creates a note for a process that is about to be started.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package init() throws(AtriumError) {
        let created = try OpenFile.call("creatingInMemoryFailed", "crash") {
            memfd_create("crash", UInt32(process_memory_flags))
        }
        file = OpenFile(created, at: "crash")
        try file.call("creatingInMemoryFailed") { ftruncate($0, off_t(Self.noteSize) + off_t(PROCESS_FRAMES_SIZE)) }
        // A file that could grow would be memory of the process without a limit.
        try file.call("creatingInMemoryFailed") { process_seal($0, false) }
    }

    /// The note, or nil as long as the process has not written it.
    private var note: process_crash_t? {
        var note = process_crash_t()
        let count = withUnsafeMutableBytes(of: &note) { pread(file.raw, $0.baseAddress, $0.count, 0) }
        return count == Self.noteSize && note.signal != 0 ? note : nil
    }

    /// The description that the process has written, or nil if there is none. Hostile code can write anything into it.
    package var description: CrashDescription? {
        guard let note, let bytes = try? file.bytes(atMost: Self.noteSize + Int(PROCESS_FRAMES_SIZE)) else {
            return nil
        }
        return CrashDescription(
            signal: note.signal, memory: note.memory, thread: Int(note.thread),
            frames: String(decoding: bytes.dropFirst(Self.noteSize).prefix { $0 != 0 }, as: UTF8.self))
    }

    /// Requests the stack of a hung process's main thread, and waits up to half a second for it.
    ///
    /// A process whose main thread is idle does not answer.
    package func requestStack(of process: SpawnedProcess) {
        process.signalThreads(PROCESS_STACK_SIGNAL)
        for _ in 0..<Self.patience / Self.interval {
            if note != nil || process.wait(milliseconds: Self.interval) { return }
        }
    }

    /// Makes this process write the note when a fault or an abort ends it, or when its parent requests its stack.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package static func install(in descriptor: Int32) throws(AtriumError) {
        guard process_crash_install(descriptor) == 0 else { throw FileSystem.failure(reason: "sharingFailed", "crash") }
    }
}

/// A crash or hang as the process describes it.
package struct CrashDescription {
    /// The signal of the crash, or SIGPROF for a hang; zero if a hung process has not answered.
    package let signal: Int32
    /// The private writable memory of the process, in bytes.
    package let memory: UInt64
    /// The number of the thread.
    package let thread: Int
    /// The calls on the stack, in the format of a crash report's lines.
    package let frames: String

    /// The description of a hung process that has not answered.
    package static let unknown = CrashDescription(signal: 0, memory: 0, thread: 0, frames: "")
}

/// The reason for a report about a process.
package enum CrashCause {
    /// The signal of a fault or an abort ended it.
    case signal(Int32)
    /// It missed a deadline, and its host ended it.
    case hang(ProcessDeadline)
}

/// A deadline for the process of an extension or of an isolated plugin.
public struct ProcessDeadline: Hashable, Sendable {
    /// A phase of the process's life that has a deadline.
    public enum Phase: String, Sendable {
        case start, request, end
        /// The response of a plugin's main thread while a call waits.
        case response
    }

    /// The phase that must end in time.
    public let phase: Phase
    /// The time in seconds.
    public let seconds: Double

    /// Creates a deadline.
    public init(_ phase: Phase, seconds: Double) {
        self.phase = phase
        self.seconds = seconds
    }

    /// The reason in the error for a process that missed the deadline.
    public var failureReason: ErrorReason {
        let values: [String: ErrorReason.Value] = ["seconds": "\(seconds)"]
        return switch phase {
        case .start: ErrorReason("startTimedOut", values)
        case .request: ErrorReason("requestTimedOut", values)
        case .end: ErrorReason("endTimedOut", values)
        case .response: ErrorReason("responseTimedOut", values)
        }
    }
}
