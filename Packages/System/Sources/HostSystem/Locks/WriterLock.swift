import Glibc
package import PluginCore
import Synchronization

/// The lock that lets only one process at a time change a sandbox.
///
/// Hosts that only run plugins don't take it: shared locks on folders protect the versions that they use, and SQLite's own
/// locks protect the registry. It is an advisory lock on a file, which the kernel releases when the process ends, even if a forked child lives
/// on. It belongs to the open file (`F_OFD_SETLK`), so it also excludes other managers in the same process. The owner writes a
/// description of itself into the file, for error messages of waiting processes.
package final class WriterLock: Sendable {
    /// The locked file with its folder, and the number of times that this object has taken the lock.
    private struct State {
        var locked: (file: OpenFile, folder: OpenFolder)?
        var count = 0
    }

    private let path: FilePath
    private var name: EntryName { EntryName(path.lastComponent) }
    private let root: FilePath
    private let patience: Duration
    private let command: String?
    private let state = Mutex(State())

    /// Creates the lock of a sandbox.
    ///
    /// - Parameters:
    ///   - file: the file that is locked; it is created if necessary.
    ///   - root: the sandbox, for error messages.
    ///   - patience: the maximum time to wait for another writer, which is short unless it installs something large.
    ///   - command: a description of this process for waiting processes; `nil` for its name.
    package init(_ file: FilePath, for root: FilePath, patience: Duration = .seconds(2), command: String? = nil) {
        self.command = command
        path = file
        self.root = root
        self.patience = patience
    }

    /// Takes the lock, or increments its count if this object has it already.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` and the owner as detail when the time runs out, `sandboxUnwritable`,
    ///   or `inputOutput` where the system doesn't support locks.
    package func acquire() async throws {
        let end = ContinuousClock.now + patience
        while let busy = try attempt() {
            guard ContinuousClock.now < end else { throw busy }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Releases the lock once; the last release removes the file.
    package func release() {
        state.withLock { state in
            state.count -= 1
            guard state.count == 0, let (file, folder) = state.locked.take() else { return }
            folder.unlock(file, as: name)
        }
    }

    /// Takes the lock if it is free, and otherwise returns an error that names the owner.
    private func attempt() throws(AtriumError) -> AtriumError? {
        try state.withLock { state throws(AtriumError) -> AtriumError? in
            if state.locked == nil {
                guard let folder = try OpenFolder(existingFolder: path.parent.string) else {
                    // Another process may have removed the empty folder again.
                    try FileSystem.makeFolders(path.parent)
                    return busy()
                }
                guard let file = try folder.lockedFile(name) else { return busy() }
                sign(file)
                state.locked = (file, folder)
            }
            state.count += 1
            return nil
        }
    }

    /// The process that has the lock on a file, in words; `nil` when none has.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable` or `inputOutput`.
    package static func owner(of path: FilePath) throws(AtriumError) -> String? {
        let file = try OpenFile.open(
            EntryName(path.string), at: path, O_RDWR | O_NOFOLLOW, isPrivate: true, failing: "readingLockFailed",
            except: [ENOENT])
        guard let file, (try? file.tryLockWriting()) == false else { return nil }
        let line = String(decoding: (try? file.bytes(atMost: 512)) ?? [], as: UTF8.self).prefix { $0 != "\n" }
        return line.hasPrefix("process ") ? String(line) : anonymous
    }

    private static let anonymous = "another host"

    /// Writes the description of this process; a failure doesn't matter, since it is only for people.
    private func sign(_ file: OpenFile) {
        let line = Array("process \(getpid()), \(program), since \(UTCTime.text(Clock.now()).suffix(9))\n".utf8)
        try? file.truncate(to: 0)
        try? file.write(line.span.bytes, at: 0)
    }

    private func busy() -> AtriumError {
        guard let writer = try? Self.owner(of: path), writer != Self.anonymous else {
            return AtriumError(.sandboxBusy, root, reason: "otherHostIsChanging")
        }
        return AtriumError(.sandboxBusy, root, reason: "writerIsChanging", ["writer": .text(writer)])
    }

    /// The description of this process in one line, without its arguments, which may contain secrets.
    private var program: String {
        let text = command ?? CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "a host"
        return String(text.unicodeScalars.filter { $0.value >= 32 && $0 != "," }.map(Character.init).prefix(80))
    }
}
