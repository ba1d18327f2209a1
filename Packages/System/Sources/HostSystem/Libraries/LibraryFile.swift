import CSystem
import Glibc
package import PluginCore

/// A bundle's library, opened once, so that the file that is verified is the one that is loaded.
///
/// Until ``letWrite()`` or ``close()``, no process can open the file for writing; a writer has to wait. Where the system
/// doesn't support this (for another user's file, or without leases in the file system), ``requireUntouched()`` detects a write
/// afterwards.
public struct LibraryFile: Sendable {
    package let path: FilePath
    package let bundle: BundleIdentity
    package let descriptor: Int32
    package let size: Int
    /// The stamp that it had when it was opened.
    package let stamp: FileStamp
    /// The identity of the file, regardless of its name.
    package var identity: FileStamp.File { stamp.file }
    /// The name by which the loader opens exactly this file, or the one under which it already has it.
    ///
    /// The loader treats a known name as the library that it already has, so the descriptor in the name must stay open.
    package private(set) var name: String

    /// Opens a library and keeps writers out, without following links and without ever blocking.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken` when the installed file is missing or open for writing, or `inputOutput`.
    package init(opening path: FilePath, of bundle: BundleIdentity) throws(AtriumError) {
        self.path = path
        self.bundle = bundle
        let now = FileStamp.now
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        let file = try OpenFile.open(EntryName(path.string), at: path, flags, except: FileSystem.absence + [ELOOP])
        guard let file else {
            let isGone = try FileSystem.item(at: path) == nil
            throw Self.broken(bundle, reason: isGone ? "noFileAt" : "notRegularFileAt", path.string)
        }
        guard Self.denyWriters(of: file) else {
            throw Self.broken(bundle, reason: "libraryBeingWritten", path.lastComponent)
        }
        // Read only now, because the file could have been changed before the lease.
        let status = try file.status
        guard status.kind == S_IFREG else {
            throw Self.broken(bundle, reason: "notRegularFileAt", path.string)
        }
        size = Int(status.st_size)
        stamp = FileStamp(status, at: now)
        descriptor = file.takeDescriptor()
        name = Self.name(of: descriptor)
    }

    /// Returns the name by which the loader opens the file of a descriptor, in the folder of the process with its number.
    ///
    /// A debugger opens the name too, and there `self` would mean the debugger. The number is the one in the mounted `/proc`. If
    /// `/proc` is that of another PID namespace, `getpid()` would return the number of another process. See
    /// Documentation/Decisions/0010-load-plugins-by-process-number.md.
    package static func name(of descriptor: Int32) -> String {
        "/proc/\(FileSystem.target(ofLink: "/proc/self") ?? "self")/fd/\(descriptor)"
    }

    /// Takes a lease on a file, and returns whether no process has it open for writing.
    ///
    /// A process that is being started briefly shares all open files of its parent, including those being written, so writers
    /// are waited for, half a second at most. Returns `true` where the file system doesn't support leases.
    private static func denyWriters(of file: OpenFile) -> Bool {
        for attempt in 0..<50 {
            if attempt > 0 { usleep(10_000) }
            if csystem_lease(file.raw, 1) == 0 || errno != EAGAIN { return true }
        }
        return false
    }

    /// Returns the same file, to be loaded by the name under which the loader already has it.
    package func named(_ name: String) -> Self {
        var file = self
        file.name = name
        return file
    }

    /// Returns whether a path leads to this file, or to another name of it.
    func isFile(named name: String) -> Bool {
        var other = stat()
        return stat(name, &other) == 0 && FileStamp.File(other) == identity
    }

    /// Lets other processes open the file for writing again.
    package func letWrite() {
        _ = csystem_lease(descriptor, 0)
    }

    /// Checks that the file hasn't changed since it was opened.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken`.
    package func requireUntouched() throws(AtriumError) {
        guard try FileStamp(descriptor, at: path) == stamp else {
            throw Self.broken(bundle, reason: "libraryChanged", path.lastComponent)
        }
    }

    /// Reads the whole content, piece by piece.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    package func read(_ use: (UnsafeRawBufferPointer) -> Void) throws(AtriumError) {
        try OpenFile(copying: descriptor, at: path).read(use)
    }

    /// The stamp that it had when it was opened, if it still has that and any later change shows; `nil` otherwise.
    package func settledStamp() throws(AtriumError) -> String? {
        let now = try FileStamp(descriptor, at: path)
        return stamp.isStable && now == stamp ? stamp.text : nil
    }

    /// Closes the file, if the loader doesn't have it under its descriptor.
    package func close() { _ = Glibc.close(descriptor) }

    private static func broken(_ bundle: BundleIdentity, reason: String, _ path: String) -> AtriumError {
        AtriumError(.sealBroken, bundle, reason: reason, ["path": .text(path)])
    }
}
