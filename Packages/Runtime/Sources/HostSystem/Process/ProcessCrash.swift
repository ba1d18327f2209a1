internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
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

    /// The signal of the crash and the private writable memory of the process at that moment in bytes, or nil without a crash.
    ///
    /// Hostile code can write anything into it.
    package var description: (signal: Int32, memory: UInt64)? {
        var crash = csystem_crash_t()
        guard csystem_crash_read(descriptor, &crash) == 0, crash.signal != 0 else { return nil }
        return (crash.signal, crash.memory)
    }

    /// Makes this process write the note when a fault or an abort ends it.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package static func install(in descriptor: Int32) throws(AtriumError) {
        guard csystem_crash_install(descriptor) == 0 else { throw FileSystem.failure(reason: "sharingFailed", "crash") }
    }
}
