import Glibc
import PluginCore
@testable import Registry
@testable import HostSystem
import Testing

/// Two locks on one path relate to each other like those of two hosts.
@Suite("Writer lock of a sandbox", .tags(.large))
struct WriterLockTests {
    private let temporary = TemporaryFolder()
    private let sandbox: Sandbox
    private let (one, other): (WriterLock, WriterLock)

    init() throws {
        sandbox = Sandbox(root: temporary.path)
        try sandbox.plugins.makeFolder()
        one = WriterLock(sandbox, patience: .milliseconds(20))
        other = WriterLock(sandbox, patience: .milliseconds(20))
    }

    private func expectBusy(
        _ lock: WriterLock, of process: Int32 = getpid(), _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let error = try await #require(throws: AtriumError.self, sourceLocation: location) { try await lock.acquire() }
        #expect(error.code == .sandboxBusy, sourceLocation: location)
        #expect(error.reason?.name == "writerIsChanging", sourceLocation: location)
        let writer = error.reason?.values["writer"]?.description
        #expect(writer?.hasPrefix("process \(process), ") == true, sourceLocation: location)
        #expect(writer?.hasSuffix("Z") == true, sourceLocation: location)
    }

    @Test("A lock held by one host is refused to others with the owner's process, program and time")
    func exclusive() async throws {
        try await one.acquire()
        try await expectBusy(other)
        #expect(WriterLock.owner(of: sandbox)?.hasPrefix("process \(getpid()), ") == true)
        one.release()
        #expect(!sandbox.lock.exists)
        #expect(WriterLock.owner(of: sandbox) == nil)
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

    @Test("The lock is held until it is released as often as it was acquired")
    func counted() async throws {
        try await one.acquire()
        try await one.acquire()
        one.release()
        try await expectBusy(other)
        one.release()
        try await other.acquire()
        other.release()
    }

    @Test("The lock of a process that died is free and has no owner")
    func death() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [root = sandbox.root.string as String] in
            try await WriterLock(Sandbox(root: FilePath(root))).acquire()
            kill(getpid(), SIGKILL)
        }
        #expect(try sandbox.lock.text.hasPrefix("process "))
        #expect(WriterLock.owner(of: sandbox) == nil)
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
