internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import Synchronization

/// Keeps two hosts from working on one sandbox at once.
///
/// An advisory lock on a file, which the kernel gives back when the process ends, however it ends. Hosts that only run
/// plugins share it; a host that changes what is installed has it alone. Each holder writes who it is into the file, so
/// that the one who is refused can say whom to ask.
///
/// The lock belongs to the open file (`F_OFD_SETLK`), as `flock`'s does, and unlike `flock`'s it changes between shared
/// and exclusive in one step: a host that asks for more and is refused still has what it had.
///
/// A sandbox without a registry has nothing that could be taken away, and one that can not be written has nobody who
/// could: a shared lock on either is held without a file.
final class SandboxLock: Sendable {
    enum Mode {
        /// Plugins run; nothing they were loaded from may go.
        case shared
        /// What is installed changes.
        case exclusive
    }

    /// How often this process holds it in each mode, and the file; `nil` while there is nothing to protect.
    private struct Holds {
        var file: Int32?
        var shared = 0
        var exclusive = 0
    }

    private let sandbox: Sandbox
    private let holds = Mutex(Holds())

    init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// Takes the lock, or makes what this process holds of it stronger.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when another host is in the way, who it is as detail. What was
    ///   held before is still held.
    func acquire(_ mode: Mode) throws(AtriumError) {
        let outcome = holds.withLock { holds in
            Result { () throws(AtriumError) in
                switch mode {
                case .shared:
                    if holds.file == nil { holds.file = try share() }
                    holds.shared += 1
                case .exclusive:
                    if holds.exclusive == 0 { holds.file = try takeAlone(holds.file) }
                    holds.exclusive += 1
                }
            }
        }
        try outcome.get()
    }

    /// Gives back what ``acquire(_:)`` took. The file goes with the last holder.
    func release(_ mode: Mode) {
        holds.withLock { holds in
            switch mode {
            case .shared: holds.shared -= 1
            case .exclusive: holds.exclusive -= 1
            }
            guard let file = holds.file, holds.exclusive == 0 else { return }
            if holds.shared > 0, FileSystem.isFile(sandbox.registry) {
                // Never refused: nobody else holds anything now.
                _ = lock(file, F_RDLCK)
                return
            }
            leave(file)
            holds.file = nil
        }
    }
}

extension SandboxLock {
    /// A file with a shared lock; `nil` where there is nothing to protect.
    private func share() throws(AtriumError) -> Int32? {
        guard FileSystem.isFile(sandbox.registry) else { return nil }
        do throws(AtriumError) {
            return try take(F_RDLCK)
        } catch  where error.code == .sandboxUnwritable {
            return nil
        }
    }

    private func takeAlone(_ held: Int32?) throws(AtriumError) -> Int32 {
        guard let held else { return try take(F_WRLCK) }
        // The file can not have gone: only who has it alone removes it, and this process shares it.
        guard lock(held, F_WRLCK) else { throw busy(held) }
        sign(held, alone: true)
        return held
    }

    /// Opens the file and locks it.
    private func take(_ kind: Int32) throws(AtriumError) -> Int32 {
        var patience = 20
        while true {
            let file = open(sandbox.lock.string, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard file >= 0 else { throw FileSystem.failure("locking it", sandbox.lock) }
            let isLocked = lock(file, kind)
            if isLocked, isStillThere(file) {
                sign(file, alone: kind == F_WRLCK)
                return file
            }
            defer { close(file) }
            // The holder before may have removed the file between our open and our lock; this lock guards nothing then.
            if isLocked { continue }
            // One who leaves has it alone for the moment it takes to remove the file.
            guard patience > 0 else { throw busy(file) }
            patience -= 1
            usleep(1_000)
        }
    }

    /// Unlocks the file, and removes it when nobody else has it.
    private func leave(_ file: Int32) {
        // Of several who leave at once, each gives up its part before it asks for the whole: one of them gets it.
        _ = lock(file, F_UNLCK)
        if lock(file, F_WRLCK), isStillThere(file) { unlink(sandbox.lock.string) }
        close(file)
    }

    private func isStillThere(_ file: Int32) -> Bool {
        var (ours, theirs) = (stat(), stat())
        return fstat(file, &ours) == 0 && stat(sandbox.lock.string, &theirs) == 0
            && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
    }

    /// Changes the lock in one step, or not at all.
    private func lock(_ file: Int32, _ kind: Int32) -> Bool {
        csystem_lock(file, Int32(kind)) == 0
    }
}

extension SandboxLock {
    /// Writes who holds it. Only for people: a failure to write it costs nobody the lock.
    private func sign(_ file: Int32, alone: Bool) {
        let line = Array("process \(getpid())\n".utf8)
        if alone { _ = ftruncate(file, 0) }
        lseek(file, 0, SEEK_END)
        _ = write(file, line, line.count)
    }

    private func busy(_ file: Int32) -> AtriumError {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = pread(file, &buffer, buffer.count, 0)
        let lines = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
        // Those who shared it and have left are still in the file.
        let process = lines.reversed().compactMap { Int32($0.dropFirst("process ".count)) }.first(where: isAlive)
        let owner = process.map { "process \($0)" } ?? "another host"
        return AtriumError(.sandboxBusy, sandbox.root.string, detail: "\(owner) works on it")
    }

    private func isAlive(_ process: Int32) -> Bool {
        process > 0 && (kill(process, 0) == 0 || errno == EPERM)
    }
}
