#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
@testable import PluginRuntime
import Testing

/// Two locks on one path are to each other as two hosts are.
@Suite("The lock of who changes a sandbox")
struct WriterLockTests {
    private static func withLocks(
        patience: Duration = .milliseconds(20), _ body: (Sandbox, WriterLock, WriterLock) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let sandbox = Sandbox(root: folder)
            try sandbox.plugins.makeFolder()
            try await body(
                sandbox, WriterLock(sandbox, patience: patience), WriterLock(sandbox, patience: patience))
        }
    }

    private func expectBusy(
        _ lock: WriterLock, of process: Int32 = getpid(), _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let error = try await #require(throws: AtriumError.self, sourceLocation: location) { try await lock.acquire() }
        #expect(error.code == .sandboxBusy, sourceLocation: location)
        #expect(error.detail.hasPrefix("process \(process), "), sourceLocation: location)
        #expect(error.detail.hasSuffix("Z changes it"), sourceLocation: location)
    }

    @Test("that one host has is refused to all others, who are told who it is, what it runs and since when")
    func exclusive() async throws {
        try await Self.withLocks { sandbox, one, other in
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
    }

    @Test("is waited for, and had as soon as it is free")
    func patience() async throws {
        try await Self.withLocks(patience: .seconds(60)) { _, one, other in
            try await one.acquire()
            async let waiting: Void = other.acquire()
            one.release()
            try await waiting
            other.release()
        }
    }

    @Test("is held until it has been given back as often as it was taken")
    func counted() async throws {
        try await Self.withLocks { _, one, other in
            try await one.acquire()
            try await one.acquire()
            one.release()
            try await expectBusy(other)
            one.release()
            try await other.acquire()
            other.release()
        }
    }

    @Test("goes when its process dies, and then names nobody")
    func death() async throws {
        try await Self.withLocks { sandbox, one, _ in
            let root = sandbox.root.string
            await #expect(processExitsWith: .signal(SIGKILL)) { [root = root as String] in
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
    }

    @Test("is refused by the system where nothing can be written")
    func unwritable() async throws {
        try await Self.withLocks { sandbox, _, _ in
            let root = sandbox.root.string
            await #expect(processExitsWith: .success) { [root = root as String] in
                let sandbox = Sandbox(root: FilePath(root))
                try becomeReader(of: sandbox)
                let error = try await #require(throws: AtriumError.self) { try await WriterLock(sandbox).acquire() }
                #expect(error.code == .sandboxUnwritable)
            }
        }
    }

    @Test("is never had by two at once, however often and by how many it is taken")
    func contention() async throws {
        try await Self.withLocks { sandbox, _, _ in
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
                            // Made by one only: a second one inside would find it.
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
}
