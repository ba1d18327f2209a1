import Contract
import Foundation

/// Notes in a file whose code runs, so that the next start knows which version crashed this process.
///
/// The file is locked as long as the process lives, which the kernel ends with it, however it dies. What the file says when it can be
/// locked by another process is the version whose code did not return.
@MainActor
final class Sentinel {
    /// The versions that crashed hosts which have died since the last start.
    let crashed: [BundleName]
    private let file: Int32
    private var running: [BundleName] = []

    init(in folder: URL) throws {
        crashed = try Self.takeCrashes(in: folder)
        // It gets its name after its lock, because another process takes an unlocked file for that of a dead one.
        let path = folder.appending(path: "\(getpid())")
        let new = folder.appending(path: ".\(getpid())")
        file = try openFile(new, O_RDWR | O_CREAT | O_TRUNC)
        try check(flock(file, LOCK_EX), new)
        try check(rename(new.path, path.path), path)
    }

    /// Runs code of a version, and notes this. Calls can be nested: the innermost code is what crashes.
    func watch<Result>(_ name: BundleName, _ code: () throws -> Result) rethrows -> Result {
        running.append(name)
        note()
        defer {
            running.removeLast()
            note()
        }
        return try code()
    }

    private func note() {
        // The version that is noted is a line, because a shorter text leaves the end of a longer one.
        let text = (running.last?.description ?? "") + "\n"
        _ = text.withCString { pwrite(file, $0, strlen($0), 0) }
    }

    /// Returns what dead hosts were running, and forgets it.
    private static func takeCrashes(in folder: URL) throws -> [BundleName] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).compactMap { file in
            guard let descriptor = try? openFile(file, O_RDONLY) else { return nil }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
            let line = try String(decoding: Data(contentsOf: file), as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            unlink(file.path)
            return line.first.flatMap { BundleName($0) }
        }
    }
}

// In the product: Packages/Runtime/Sources/PluginRuntime/CrashDetection. It adds a signal handler, which records the signal and whose code
// was on the stack, deadlines for code that hangs, kills that were nobody's fault, and counts how often.
