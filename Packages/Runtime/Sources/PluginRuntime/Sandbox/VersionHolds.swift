internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import Synchronization

/// Locks that keep the versions used by this process from being removed by any process.
///
/// Each is a shared `flock` on a version's folder. Removing the folder takes an exclusive lock, see ``removal(of:)``, which the
/// kernel denies as long as a living process shares it. A child made by fork doesn't inherit the locks. See
/// Documentation/Decisions/0002-nothing-survives-a-fork.md.
final class VersionHolds: Sendable {
    private let sandbox: Sandbox
    private let folders = Mutex<[PluginBundle: Int32]>([:])

    init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// Locks a version until it is released; repeated calls lock it once.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when its folder is missing, `sandboxBusy` when another process
    ///   has locked it to remove or replace it, `inputOutput` or `sandboxUnwritable` when that can't be determined.
    func hold(_ bundle: PluginBundle) throws(AtriumError) {
        try folders.withLock { folders throws(AtriumError) in
            let path = sandbox.folder(of: bundle)
            // Another host may have removed or replaced the folder without respecting the lock.
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

    /// Unlocks a version that this process doesn't use any longer.
    func release(_ bundle: PluginBundle) {
        if let folder = folders.withLock({ $0.removeValue(forKey: bundle) }) { csystem_close_private(folder) }
    }

    /// Unlocks all versions, at the end of a session.
    func releaseAll() {
        let held = folders.withLock { folders in
            defer { folders = [:] }
            return folders.values.map { $0 }
        }
        for folder in held { csystem_close_private(folder) }
    }

    /// Locks an unused folder exclusively, so that the caller can remove it.
    ///
    /// - Returns: a descriptor; `nil` when the folder is in use or missing.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be determined.
    static func removal(of folder: FilePath) throws(AtriumError) -> Int32? {
        if case .held(let folder) = try lock(folder, LOCK_EX) { folder } else { nil }
    }

    /// The result of an attempt to lock a folder.
    private enum Outcome {
        /// The folder is locked through this descriptor.
        case held(Int32)
        /// Another process has locked it.
        case busy
        /// The folder doesn't exist any longer.
        case gone
    }

    /// Unlocks a folder after its removal.
    static func endRemoval(_ folder: Int32) { csystem_close_private(folder) }

    /// The error numbers of a missing folder: its name doesn't exist, or is another item's.
    private static let gone = [ENOENT, ENOTDIR, ELOOP]

    /// Opens and locks a folder, and checks that it still has its path.
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
