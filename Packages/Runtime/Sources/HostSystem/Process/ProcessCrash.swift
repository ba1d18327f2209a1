internal import CSystem
import Glibc
package import PluginCore

/// A note that a process shares with its parent, in which it describes its crash.
package final class ProcessCrash: Sendable {
    /// The descriptor, which the process inherits.
    package let descriptor: Int32

    /// Creates a note for a process that is about to be started.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package init() throws(AtriumError) {
        descriptor = csystem_crash_create()
        guard descriptor >= 0 else { throw FileSystem.failure(reason: "creatingInMemoryFailed", "crash") }
    }

    deinit { close(descriptor) }

    /// The description that the process has written, or nil if there is none. Hostile code can write anything into it.
    package var description: CrashDescription? {
        var crash = csystem_crash_t()
        guard csystem_crash_read(descriptor, &crash) == 0, crash.signal != 0 else { return nil }
        return CrashDescription(signal: crash.signal, memory: crash.memory, thread: Int(crash.thread))
    }

    /// Makes this process write the note when a fault or an abort ends it.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package static func install(in descriptor: Int32) throws(AtriumError) {
        guard csystem_crash_install(descriptor) == 0 else { throw FileSystem.failure(reason: "sharingFailed", "crash") }
    }
}

/// A crash as the process describes it.
package struct CrashDescription: Sendable {
    /// The signal of the crash; zero for a hang.
    package let signal: Int32
    /// The private writable memory of the process, in bytes.
    package let memory: UInt64
    /// The number of the thread.
    package let thread: Int

    /// The description of a hung process.
    package static let unknown = CrashDescription(signal: 0, memory: 0, thread: 0)
}

/// The reason for a report about a process.
package enum CrashCause: Hashable, Sendable {
    /// The signal of a fault or an abort ended it.
    case signal(Int32)
    /// It missed a deadline, and its host ended it.
    case hang(ProcessDeadline)
}
