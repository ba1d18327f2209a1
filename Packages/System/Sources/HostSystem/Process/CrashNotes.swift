import CSystem
import Glibc

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

    /// Records in all files that are open for notes that the process ends because the system has refused it threads.
    package static func noteShortage() { crash_notes_shortage() }
}
