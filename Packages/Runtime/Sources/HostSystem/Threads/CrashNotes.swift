internal import CSystem
package import PluginCore

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

    /// Writes a line into each file that is open for notes.
    package static func write(_ line: String) { crash_notes_write(line) }
}

/// The threads that the system gives this process.
package enum SystemThreads {
    /// A Boolean value that indicates whether one more thread could be had just now.
    package static var isOneAvailable: Bool { csystem_try_thread() == 0 }

    /// The number of the calling thread.
    package static var current: Int { csystem_thread() }
}
