import Contract
import Foundation

/// Notes in a file whose code runs, so that the next start knows which version crashed this process.
///
/// The file is locked as long as the process lives: the kernel takes the lock away, however the process dies. A file that another process
/// can lock names the version whose code did not return.
@MainActor
final class Sentinel {
    private static let length = 256
    private let file: Int32
    private var running: [BundleName] = []

    /// Looks at the files of dead processes, and adds one for this process.
    ///
    /// - Parameters:
    ///   - folder: The folder of these files, which all processes share.
    ///   - crashed: What to do with a version that crashed its process. Its file is removed afterwards.
    init(in folder: URL, crashed: (BundleName) throws -> Void) throws {
        // Processes that start at the same time wait here, so none sees another's file before that is locked.
        let lock = try lockedFile(folder.appending(path: "lock"))
        defer { close(lock) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "lock" {
            let path = folder.appending(path: name)
            let other = try openFile(path, O_RDONLY)
            defer { close(other) }
            guard flock(other, LOCK_EX | LOCK_NB) == 0 else { continue }
            let note = try FileHandle(fileDescriptor: other).read(upToCount: Self.length) ?? Data()
            if let name = BundleName(String(decoding: note, as: UTF8.self)) { try crashed(name) }
            unlink(path.path)
        }
        file = try lockedFile(folder.appending(path: UUID().uuidString))
        // No code of plugins runs unwatched: without this first write, the host does not start.
        guard note() == Self.length else { throw Failure("\(folder.path) cannot be written to") }
    }

    /// Runs code of a version. If the process dies meanwhile, this counts against the version.
    func watch<Result>(_ name: BundleName, _ code: () throws -> Result) rethrows -> Result {
        running.append(name)
        _ = note()
        defer {
            running.removeLast()
            _ = note()
        }
        return try code()
    }

    /// Writes the innermost of the calls to the file, and returns how many bytes of it were written.
    private func note() -> Int {
        let text = (running.last?.description ?? "").utf8
        // Always the same length, so that it replaces all of the text before it, and needs no new block of a disk that may be full.
        let bytes = Array(text) + [UInt8](repeating: UInt8(ascii: " "), count: max(0, Self.length - text.count))
        return pwrite(file, bytes, bytes.count, 0)
    }
}

// In the product: Packages/Runtime/Sources/PluginRuntime/CrashDetection, Packages/Runtime/Sources/PluginRuntime/Transactions/CrashQuarantine.swift.
// It adds a signal handler, which records the signal and whose code was on the stack of which thread, deadlines for code that hangs, kills
// that were nobody's fault, and counts how often.
