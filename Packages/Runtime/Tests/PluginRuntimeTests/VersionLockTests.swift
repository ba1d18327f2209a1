import Foundation
import Glibc
import PluginCore
@testable import Registry
@testable import HostSystem
@testable import PluginRuntime
import Testing

@Suite("Locks on versions in use", .tags(.large))
struct VersionLockTests {
    static let bundle = PluginBundle.sample()
    private let temporary = TemporaryFolder()
    private var sandbox: Sandbox { Sandbox(root: temporary.path) }
    private var folder: FilePath { sandbox.folder(of: Self.bundle) }

    init() throws { try folder.makeFolder() }

    @Test("A version can be removed only after its last user has released it")
    func held() async throws {
        let (one, other) = (VersionLocks(sandbox), VersionLocks(sandbox))
        try one.lockVersion(Self.bundle)
        try one.lockVersion(Self.bundle)
        try other.lockVersion(Self.bundle)
        #expect(try VersionLocks.removal(of: folder) == nil)
        one.release(Self.bundle)
        #expect(try VersionLocks.removal(of: folder) == nil)
        other.release(Self.bundle)
        let removal = try #require(try VersionLocks.removal(of: folder))
        let error = try #require(throws: AtriumError.self) { try one.lockVersion(Self.bundle) }
        #expect(error.code == .sandboxBusy && error.reason == ErrorReason("pathLocked", ["path": "\(folder)"]))
        removal.release()
        try one.lockVersion(Self.bundle)
    }

    @Test("A version is released also while a program that is being started still has its descriptor")
    func duplicated() async throws {
        let versionLocks = VersionLocks(sandbox)
        try versionLocks.lockVersion(Self.bundle)
        let copies = try FilePath("/proc/self/fd").names.compactMap { Int32($0) }.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == folder.string
        }.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        versionLocks.release(Self.bundle)
        try #require(try VersionLocks.removal(of: folder)).release()
    }

    @Test("A version is released when its user's process is killed")
    func killed() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [root = sandbox.root.string as String] in
            let versionLocks = VersionLocks(Sandbox(root: FilePath(root)))
            try versionLocks.lockVersion(VersionLockTests.bundle)
            #expect(
                try VersionLocks.removal(of: Sandbox(root: FilePath(root)).folder(of: VersionLockTests.bundle))
                    == nil)
            kill(getpid(), SIGKILL)
        }
        try #require(try VersionLocks.removal(of: folder)).release()
    }

    @Test("A version whose folder was replaced is locked again")
    func exchanged() async throws {
        let versionLocks = VersionLocks(sandbox)
        try versionLocks.lockVersion(Self.bundle)
        try FileSystem.rename(folder, to: folder.parent.appending("away"))
        try folder.makeFolder()
        try versionLocks.lockVersion(Self.bundle)
        #expect(try VersionLocks.removal(of: folder) == nil)
        versionLocks.release(Self.bundle)
        try #require(try VersionLocks.removal(of: folder)).release()
    }

    @Test("A missing version cannot be locked")
    func gone() async throws {
        try folder.remove()
        try failing(.bundleUnavailable) { try VersionLocks(sandbox).lockVersion(Self.bundle) }
    }

    @Test("A lack of file descriptors isn't reported as a missing version")
    func descriptors() async throws {
        await #expect(processExitsWith: .success) { [root = sandbox.root.string as String] in
            let versionLocks = VersionLocks(Sandbox(root: FilePath(root)))
            var limit = rlimit(rlim_cur: 0, rlim_max: 4096)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            try failing(.inputOutput) { try versionLocks.lockVersion(VersionLockTests.bundle) }
        }
    }
}
