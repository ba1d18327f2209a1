import Foundation
import Glibc
import PluginCore
import Testing
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Locks of a sandbox and its versions", .tags(.large))
struct VersionLockTests {
    static let bundle = PluginBundle.sample()
    private let temporary = TemporaryFolder()
    private var sandbox: Sandbox { Sandbox(root: temporary.path) }
    private var folder: FilePath { sandbox.folder(of: Self.bundle) }

    /// Two locks on one path relate to each other like those of two hosts.
    private let (one, other): (WriterLock, WriterLock)

    init() throws {
        let sandbox = Sandbox(root: temporary.path)
        one = WriterLock(sandbox, patience: .milliseconds(20))
        other = WriterLock(sandbox, patience: .milliseconds(20))
        try sandbox.folder(of: Self.bundle).makeFolder()
    }

    @Test("A version can be removed only after its last user has released it, and not be locked without its folder")
    func held() async throws {
        let (one, other) = (UsedFolders(sandbox), UsedFolders(sandbox))
        var uses = try [one, one, other].map { try $0.version(Self.bundle) }
        #expect(uses[0] === uses[1] && uses[0] !== uses[2])
        for _ in 0..<3 {
            #expect(try FolderLock.removal(of: folder) == nil)
            uses.removeFirst()
        }
        let removal = try #require(try FolderLock.removal(of: folder))
        let error = try #require(throws: AtriumError.self) { try one.version(Self.bundle) }
        #expect(error.code == .sandboxBusy && error.reason == ErrorReason("pathLocked", ["path": "\(folder)"]))
        removal.release()
        _ = try one.version(Self.bundle)
        try folder.remove()
        try failing(.bundleUnavailable) { try one.version(Self.bundle) }
    }

    @Test("A version is released also while a program that is being started still has its descriptor")
    func duplicated() async throws {
        var use: UsedFolder? = try UsedFolders(sandbox).version(Self.bundle)
        let copies = try FilePath("/proc/self/fd").names.compactMap { Int32($0) }.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == folder.string
        }.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1 && use != nil)
        use = nil
        try #require(try FolderLock.removal(of: folder)).release()
    }

    @Test("A version is released when its user's process is killed")
    func killed() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [root = sandbox.root.string as String] in
            let sandbox = Sandbox(root: FilePath(root))
            let use = try UsedFolders(sandbox).version(VersionLockTests.bundle)
            #expect(try FolderLock.removal(of: sandbox.folder(of: VersionLockTests.bundle)) == nil)
            withExtendedLifetime(use) { _ = kill(getpid(), SIGKILL) }
        }
        try #require(try FolderLock.removal(of: folder)).release()
    }

    @Test("A version whose folder was replaced is locked again")
    func exchanged() async throws {
        let folders = UsedFolders(sandbox)
        var uses = [try folders.version(Self.bundle)]
        try FileSystem.rename(folder, to: folder.parent.appending("away"))
        try folder.makeFolder()
        uses.append(try folders.version(Self.bundle))
        #expect(try FolderLock.removal(of: folder) == nil)
        uses = []
        try #require(try FolderLock.removal(of: folder)).release()
    }

    @Test("A lack of file descriptors isn't reported as a missing version")
    func descriptors() async throws {
        await #expect(processExitsWith: .success) { [root = sandbox.root.string as String] in
            let folders = UsedFolders(Sandbox(root: FilePath(root)))
            var limit = rlimit(rlim_cur: 0, rlim_max: 4096)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            try failing(.inputOutput) { try folders.version(VersionLockTests.bundle) }
        }
    }

    private func expectBusy(_ lock: WriterLock, _ location: SourceLocation = #_sourceLocation) async throws {
        let error = try await #require(throws: AtriumError.self, sourceLocation: location) { try await lock.acquire() }
        #expect(error.code == .sandboxBusy, sourceLocation: location)
        #expect(error.reason?.name == "writerIsChanging", sourceLocation: location)
        let writer = error.reason?.values["writer"]?.description
        #expect(writer?.hasPrefix("process \(getpid()), ") == true, sourceLocation: location)
        #expect(writer?.hasSuffix("Z") == true, sourceLocation: location)
    }

    @Test("A held lock is refused to others with the owner, until it is released as often as it was acquired")
    func exclusive() async throws {
        for _ in 0..<2 { try await one.acquire() }
        try await expectBusy(other)
        one.release()
        try await expectBusy(other)
        #expect(try WriterLock.owner(of: sandbox)?.hasPrefix("process \(getpid()), ") == true)
        one.release()
        #expect(!sandbox.lock.exists)
        #expect(try WriterLock.owner(of: sandbox) == nil)
        try await other.acquire()
        other.release()
        #expect(!sandbox.lock.exists)
    }

    @Test("A waiting host acquires the lock as soon as it is released")
    func patience() async throws {
        let other = WriterLock(sandbox, patience: .seconds(60))
        try await one.acquire()
        // The first attempt is over when the task is created.
        let waiting = Task.immediate { try await other.acquire() }
        one.release()
        try await waiting.value
        other.release()
    }

    @Test("The lock of a process that died is free and has no owner")
    func death() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [root = sandbox.root.string as String] in
            try await WriterLock(Sandbox(root: FilePath(root))).acquire()
            kill(getpid(), SIGKILL)
        }
        #expect(try sandbox.lock.text.hasPrefix("process "))
        #expect(try WriterLock.owner(of: sandbox) == nil)
        try await one.acquire()
        #expect(try sandbox.lock.text.hasPrefix("process \(getpid()), "))
        one.release()
        #expect(!sandbox.lock.exists)
    }

    @Test("The lock is never held by two owners at the same time")
    func contention() async throws {
        let inside = sandbox.root.appending("inside")
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let lock = WriterLock(sandbox, patience: .milliseconds(1))
                    for _ in 0..<100 {
                        do {
                            try await lock.acquire()
                        } catch let error as AtriumError where error.code == .sandboxBusy {
                            continue
                        }
                        // Only the owner creates the folder; a second owner would find it.
                        #expect(mkdir(inside.string, 0o755) == 0)
                        #expect(rmdir(inside.string) == 0)
                        lock.release()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(!sandbox.lock.exists)
    }
}
