#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import Synchronization

/// Keeps two hosts from working on one sandbox at once.
///
/// An advisory lock on a file (`flock`), which the kernel gives back when the process ends, however it ends. Hosts that
/// only run plugins share it; a host that changes what is installed has it alone. The holder writes who it is into the
/// file, so that the one who is refused can say whom to ask.
final class SandboxLock: Sendable {
    enum Mode {
        /// Plugins run; nothing they were loaded from may go.
        case shared
        /// What is installed changes.
        case exclusive
    }

    private struct Held {
        var descriptor: Int32
        var shared = 0
        var exclusive = 0
    }

    private let path: FilePath
    private let held = Mutex<Held?>(nil)

    init(_ sandbox: Sandbox) {
        path = sandbox.lock
    }

    /// Takes the lock, or makes what this process holds of it stronger.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when another process is in the way, its own words as detail.
    func acquire(_ mode: Mode) throws(AtriumError) {
        let outcome = held.withLock { held -> Result<Void, AtriumError> in
            do throws(AtriumError) {
                let isFirst = held == nil
                var now = held ?? Held(descriptor: -1)
                if isFirst { now.descriptor = try openFile() }
                if mode == .exclusive, now.exclusive == 0 {
                    try flock(&now, LOCK_EX, keepOpen: !isFirst)
                } else if isFirst {
                    try flock(&now, LOCK_SH, keepOpen: false)
                }
                if mode == .exclusive { now.exclusive += 1 } else { now.shared += 1 }
                held = now
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }

    /// Gives back what ``acquire(_:)`` took. The file goes with the last holder.
    func release(_ mode: Mode) {
        held.withLock { held in
            guard var now = held else { return }
            if mode == .exclusive { now.exclusive -= 1 } else { now.shared -= 1 }
            if now.exclusive == 0, now.shared == 0 {
                // Only the one who has the lock alone may take the file away; a reader may be using it.
                if systemLock(now.descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path.string) }
                close(now.descriptor)
                held = nil
                return
            }
            if now.exclusive == 0 { _ = systemLock(now.descriptor, LOCK_SH | LOCK_NB) }
            held = now
        }
    }

    private func openFile() throws(AtriumError) -> Int32 {
        let descriptor = open(path.string, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw FileSystem.failure("lock", path) }
        return descriptor
    }

    private func flock(_ now: inout Held, _ operation: Int32, keepOpen: Bool) throws(AtriumError) {
        while true {
            guard systemLock(now.descriptor, operation | LOCK_NB) == 0 else {
                let owner = readOwner(now.descriptor)
                // A failed change of the lock's mode may have lost it; take the weaker one again.
                if keepOpen { _ = systemLock(now.descriptor, LOCK_SH | LOCK_NB) } else { close(now.descriptor) }
                throw AtriumError(.sandboxBusy, path.parent.parent.parent.string, detail: owner)
            }
            if keepOpen || isStillThere(now.descriptor) { return writeOwner(now.descriptor) }
            // The holder before removed the file between our open and our lock: this lock guards nothing.
            close(now.descriptor)
            now.descriptor = try openFile()
        }
    }

    private func isStillThere(_ descriptor: Int32) -> Bool {
        var (ours, theirs) = (stat(), stat())
        return fstat(descriptor, &ours) == 0 && stat(path.string, &theirs) == 0 && ours.st_ino == theirs.st_ino
    }

    private func writeOwner(_ descriptor: Int32) {
        let text = Array("process \(getpid())\n".utf8)
        // Only for people: a failure to write it costs nobody the lock.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
    }

    private func readOwner(_ descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        let line = text.split(separator: "\n").first.map(String.init) ?? ""
        return line.isEmpty ? "another host works on it" : "\(line) works on it"
    }
}

private func systemLock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
    var status: Int32
    repeat { status = flock(descriptor, operation) } while status != 0 && errno == EINTR
    return status
}
