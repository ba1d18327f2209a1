internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import Synchronization

/// Lets one host at a time change what is installed. Hosts that only run plugins take no lock: what they use is kept by
/// ``VersionHolds``, and the registry is read through SQLite's own.
///
/// An advisory lock on a file, which the kernel gives back when the process ends, however it ends, also when a child that it
/// forked lives on. It belongs to the open file (`F_OFD_SETLK`), so two managers in one process keep each other out too. The holder writes who it is into the file,
/// so that whoever waits in vain can say for whom.
final class WriterLock: Sendable {
    /// How often this process has taken it, and the file.
    private struct Hold {
        var file: Int32 = -1
        var count = 0
    }

    private let sandbox: Sandbox
    private let patience: Duration
    private let command: String?
    private let hold = Mutex(Hold())

    /// - Parameters:
    ///   - patience: how long to wait for another writer, which is done soon unless it installs something large.
    ///   - command: what this process does, for whoever waits for it; `nil` for its name alone.
    init(_ sandbox: Sandbox, patience: Duration = .seconds(2), command: String? = nil) {
        self.command = command
        self.sandbox = sandbox
        self.patience = patience
    }

    /// Takes the lock, or counts once more when this object has it.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when another writer does not end in time, who it is as detail;
    ///   `sandboxUnwritable`; `inputOutput` where the system has no locks to give.
    func acquire() async throws {
        let end = ContinuousClock.now + patience
        while true {
            if let busy = try attempt() {
                guard ContinuousClock.now < end else { throw busy }
                try await Task.sleep(for: .milliseconds(5))
            } else {
                return
            }
        }
    }

    /// Gives back what ``acquire()`` took. The file goes with the last one.
    func release() {
        hold.withLock { hold in
            hold.count -= 1
            guard hold.count == 0 else { return }
            if isStillThere(hold.file) { unlink(sandbox.lock.string) }
            csystem_close_private(hold.file)
            hold.file = -1
        }
    }

    /// Takes the lock unless somebody has it; who that is otherwise.
    private func attempt() throws(AtriumError) -> AtriumError? {
        let outcome = hold.withLock { hold in
            Result { () throws(AtriumError) -> AtriumError? in
                if hold.count == 0 {
                    let file = csystem_open_private(AT_FDCWD, sandbox.lock.string, O_RDWR | O_CREAT | O_NOFOLLOW)
                    guard file >= 0 else {
                        guard errno == ENOENT else { throw FileSystem.failure("locking it", sandbox.lock) }
                        // Somebody whose work came to nothing took the folder away again.
                        try FileSystem.makeFolders(sandbox.lock.parent)
                        return busy(file)
                    }
                    // The holder before may have removed the file between our open and our lock; this lock guards nothing then.
                    var isKept = false
                    defer { if !isKept { csystem_close_private(file) } }
                    guard csystem_lock(file, Int32(F_WRLCK)) == 0 else {
                        guard errno == EWOULDBLOCK else { throw FileSystem.failure("locking it", sandbox.lock) }
                        return busy(file)
                    }
                    guard isStillThere(file) else { return busy(file) }
                    isKept = true
                    sign(file)
                    hold.file = file
                }
                hold.count += 1
                return nil
            }
        }
        return try outcome.get()
    }

    private func isStillThere(_ file: Int32) -> Bool {
        var (ours, theirs) = (stat(), stat())
        return fstat(file, &ours) == 0 && stat(sandbox.lock.string, &theirs) == 0
            && ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
    }
}

extension WriterLock {
    /// Who changes the sandbox of a root now, in words; `nil` when nobody does, or nobody can tell.
    static func owner(of sandbox: Sandbox) -> String? { try? certainOwner(of: sandbox) }

    /// The same for who must not take a lock that cannot be looked at for one that nobody has.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable` or `inputOutput`.
    static func certainOwner(of sandbox: Sandbox) throws(AtriumError) -> String? {
        let file = csystem_open_private(AT_FDCWD, sandbox.lock.string, O_RDWR | O_NOFOLLOW)
        guard file >= 0 else {
            guard errno == ENOENT else { throw FileSystem.failure("looking at the lock", sandbox.lock) }
            return nil
        }
        defer { csystem_close_private(file) }
        guard csystem_lock(file, Int32(F_WRLCK)) != 0, errno == EWOULDBLOCK else { return nil }
        return words(in: file)
    }

    /// Writes who holds it. Only for people: a failure to write it costs nobody the lock.
    private func sign(_ file: Int32) {
        let line = Array("process \(getpid()), \(program), since \(Clock.timeOfDay())\n".utf8)
        _ = ftruncate(file, 0)
        _ = pwrite(file, line, line.count, 0)
    }

    private func busy(_ file: Int32) -> AtriumError {
        AtriumError(.sandboxBusy, sandbox.root.string, detail: "\(Self.words(in: file)) changes it")
    }

    private static func words(in file: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = pread(file, &buffer, buffer.count, 0)
        let line = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).prefix { $0 != "\n" }
        return line.hasPrefix("process ") ? String(line) : "another host"
    }

    /// What this process does, in one line. What it was started with is not read: options may have secrets for values.
    private var program: String {
        let text = command ?? CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "a host"
        return String(text.unicodeScalars.filter { $0.value >= 32 && $0 != "," }.map(Character.init).prefix(80))
    }
}
