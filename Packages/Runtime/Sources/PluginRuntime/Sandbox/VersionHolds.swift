internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import Synchronization

/// Keeps the versions that this process uses from being taken off the disk by anybody.
///
/// A shared `flock` on a version's folder. Whoever wants to remove the folder needs it alone (``removal(of:)``), which the
/// kernel refuses as long as a living process shares it, and no longer: a child that the process forks does not.
final class VersionHolds: Sendable {
    private let sandbox: Sandbox
    private let folders = Mutex<[PluginBundle: Int32]>([:])

    init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// Holds a version until ``release(_:)``; again and again is once.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when its folder is not there; `sandboxBusy` when another process has
    ///   locked it, as while it is removed or replaced; `inputOutput` or `sandboxUnwritable` when the system cannot say so.
    func hold(_ bundle: PluginBundle) throws(AtriumError) {
        try folders.withLock { folders throws(AtriumError) in
            let path = sandbox.folder(of: bundle)
            // What was held may have been taken away all the same, by a host that did not ask.
            if let folder = folders[bundle], try Self.isStill(folder, at: path) { return }
            switch try Self.lock(path, LOCK_SH) {
            case .held(let folder):
                if let gone = folders.updateValue(folder, forKey: bundle) { csystem_close_private(gone) }
            case .gone:
                throw AtriumError(
                    .bundleUnavailable, bundle.identity.description, detail: "its folder is not there any more")
            case .busy:
                throw AtriumError(
                    .sandboxBusy, sandbox.root.string, detail: "another process has locked \(path)")
            }
        }
    }

    /// Lets a version go that is of no use to this process any more.
    func release(_ bundle: PluginBundle) {
        if let folder = folders.withLock({ $0.removeValue(forKey: bundle) }) { csystem_close_private(folder) }
    }

    /// Lets all go, at the end of a session.
    func releaseAll() {
        let held = folders.withLock { folders in
            defer { folders = [:] }
            return folders.values.map { $0 }
        }
        for folder in held { csystem_close_private(folder) }
    }

    /// A folder that nobody uses, for the caller to remove before ``endRemoval(_:)``; `nil` while somebody does, or when it has gone.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the system cannot say so.
    static func removal(of folder: FilePath) throws(AtriumError) -> Int32? {
        if case .held(let folder) = try lock(folder, LOCK_EX) { folder } else { nil }
    }

    /// The result of an attempt to lock a folder.
    private enum Outcome {
        /// It is locked, through this descriptor.
        case held(Int32)
        /// Another process has locked it.
        case busy
        /// There is no such folder any more.
        case gone
    }

    /// Closes what ``removal(of:)`` has returned.
    static func endRemoval(_ folder: Int32) { csystem_close_private(folder) }

    /// What the system says of a folder that is not there: its name is gone, or is another thing's.
    private static let gone = [ENOENT, ENOTDIR, ELOOP]

    /// Opens a folder and locks it, provided that it is still that folder then.
    private static func lock(_ path: FilePath, _ kind: Int32) throws(AtriumError) -> Outcome {
        let folder = csystem_open_private(AT_FDCWD, path.string, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard folder >= 0 else {
            if gone.contains(errno) { return .gone }
            throw FileSystem.failure("opening it", path)
        }
        var isKept = false
        defer { if !isKept { csystem_close_private(folder) } }
        while flock(folder, kind | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return .busy }
            guard errno == EINTR else { throw FileSystem.failure("locking it", path) }
        }
        isKept = try isStill(folder, at: path)
        return isKept ? .held(folder) : .gone
    }

    private static func isStill(_ folder: Int32, at path: FilePath) throws(AtriumError) -> Bool {
        var (ours, theirs) = (stat(), stat())
        guard fstat(folder, &ours) == 0, lstat(path.string, &theirs) == 0 else {
            if gone.contains(errno) { return false }
            throw FileSystem.failure("looking at it", path)
        }
        return ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev
    }
}
