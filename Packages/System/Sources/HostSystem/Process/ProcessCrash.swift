internal import CSystem
internal import Dispatch
import Glibc
public import PluginCore

/// A note that a process shares with its parent, in which it describes its crash or hang.
package final class ProcessCrash: Sendable {
    /// The descriptor, which the process inherits.
    package var descriptor: Int32 { file.raw }
    private let file: OpenFile
    /// The time that a process has to answer ``requestStack(of:)``, and the interval between checks, in milliseconds.
    private static let (patience, interval): (Int32, Int32) = (500, 5)
    /// The size of the note before the lines of the frames.
    private static let noteSize = MemoryLayout<csystem_crash_t>.size

    /// Creates a note for a process that is about to be started.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package init() throws(AtriumError) {
        let created = try OpenFile.call("creatingInMemoryFailed", "crash") {
            memfd_create("crash", UInt32(csystem_memory_flags))
        }
        file = OpenFile(created, at: "crash")
        try file.call("creatingInMemoryFailed") { ftruncate($0, off_t(Self.noteSize) + off_t(CSYSTEM_FRAMES_SIZE)) }
        // A file that could grow would be memory of the process without a limit.
        try file.call("creatingInMemoryFailed") { csystem_seal($0, false) }
    }

    /// The note, or nil as long as the process has not written it.
    private var note: csystem_crash_t? {
        var note = csystem_crash_t()
        let count = withUnsafeMutableBytes(of: &note) { pread(file.raw, $0.baseAddress, $0.count, 0) }
        return count == Self.noteSize && note.signal != 0 ? note : nil
    }

    /// The description that the process has written, or nil if there is none. Hostile code can write anything into it.
    package var description: CrashDescription? {
        guard let note, let bytes = try? file.bytes(atMost: Self.noteSize + Int(CSYSTEM_FRAMES_SIZE)) else {
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
        process.signalThreads(CSYSTEM_STACK_SIGNAL)
        for _ in 0..<Self.patience / Self.interval {
            if note != nil || process.wait(milliseconds: Self.interval) { return }
        }
    }

    /// Makes this process write the note when a fault or an abort ends it, or when its parent requests its stack.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package static func install(in descriptor: Int32) throws(AtriumError) {
        guard csystem_crash_install(descriptor) == 0 else { throw FileSystem.failure(reason: "sharingFailed", "crash") }
    }
}

/// A crash or hang as the process describes it.
package struct CrashDescription: Sendable {
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
package enum CrashCause: Hashable, Sendable {
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

/// The names of the signals that end a process after a fault of its code.
public enum SignalName {
    /// The signal that ends a process which has used all its processor time.
    package static let processorTime = SIGXCPU

    /// The signals that report a fault or an abort of the process's own code, or a limit that it has exceeded.
    static let names = [
        SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGFPE: "SIGFPE", SIGABRT: "SIGABRT",
        SIGTRAP: "SIGTRAP", SIGSYS: "SIGSYS", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]

    /// Returns whether a signal reports a fault or an abort of the process's own code, or a limit that it has exceeded.
    package static func isFault(_ signal: Int32) -> Bool {
        names[signal] != nil
    }

    /// The name of a signal, such as `SIGSEGV`; its number in words for one without a name here.
    public static func name(of signal: Int32) -> String { names[signal] ?? "signal \(signal)" }
}

/// The notes that this process writes into a crash log's file while it dies.
///
/// ```swift
/// let notes = CrashNotes(in: file, isHeld: true)
/// notes.name(library.name)
/// if notes.close() { file.close() }
/// ```
package struct CrashNotes: Sendable {
    package let slot: Int32

    /// Opens a crash log's file for notes about what this thread does now.
    ///
    /// - Parameter isHeld: whether the thread is at work for it until ``giveWay()``.
    package init(in file: CrashLogFile, isHeld: Bool) {
        slot = crash_notes_open(file.descriptor, isHeld)
    }

    /// Says under which name the loader knows, or will know, the library that the file is about.
    package func name(_ image: String) { crash_notes_name(slot, image) }

    /// Ends the work of this thread for the file.
    package func giveWay() { crash_notes_give_way(slot) }

    /// Ends the notes; returns whether the file may be closed too. While a crash is being noted it has to stay open.
    package func close() -> Bool { crash_notes_close(slot) }

    /// Makes each crash of this process leave a report in a folder, from now on.
    ///
    /// Nothing is written before. The path may be too long for a report, which is no reason not to run.
    package static func report(in folder: FilePath) { _ = crash_notes_report(folder.string) }

    /// Records in all files that are open for notes that the process ends because the system has refused it threads.
    package static func noteShortage() { crash_notes_shortage() }
}

/// The sender of the messages that a thread handles, whom the report of a crash of this process names.
///
/// A thread knows it by a variable of its own, so that handling a message costs no call of the system.
package struct MessageSender: Sendable {
    // because: the text is never changed and never freed. A signal handler can read it at any time.
    private nonisolated(unsafe) let text: UnsafePointer<CChar>?

    /// Creates the sender for the process of a bundle's plugin or extension.
    ///
    /// - Parameters:
    ///   - bundle: The version, as text.
    ///   - extension: The identifier of the extension; nil for the plugin.
    package init(_ bundle: String, extension identifier: String?) {
        text = UnsafePointer(strdup(identifier.map { "\(bundle) \($0)" } ?? bundle))
    }

    private init(_ text: UnsafePointer<CChar>?) {
        self.text = text
    }

    /// Lets the calling thread handle messages of a sender, and returns the one before for ``end(_:)``.
    package static func begin(_ sender: MessageSender?) -> MessageSender {
        MessageSender(crash_notes_handle(sender?.text))
    }

    /// Lets the calling thread handle messages of the sender before.
    package static func end(_ before: MessageSender) { _ = crash_notes_handle(before.text) }
}

/// Runs the tasks that handle a sender's messages, on threads of Swift's pool.
package final class MessageExecutor: TaskExecutor {
    private let sender: MessageSender

    package init(for sender: MessageSender) {
        self.sender = sender
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue.global().async { [self] in
            let before = MessageSender.begin(sender)
            defer { MessageSender.end(before) }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
