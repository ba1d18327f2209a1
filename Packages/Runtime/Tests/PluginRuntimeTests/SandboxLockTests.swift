#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
@testable import PluginRuntime
import Testing

/// Two locks on one path are to each other as two hosts are.
@Suite("The lock of a sandbox")
struct SandboxLockTests {
    private static func withLocks(
        registry: Bool = true, _ body: (Sandbox, SandboxLock, SandboxLock) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let sandbox = Sandbox(root: folder)
            try sandbox.plugins.makeFolder()
            if registry { try sandbox.registry.write("") }
            try await body(sandbox, SandboxLock(sandbox), SandboxLock(sandbox))
        }
    }

    private func expectBusy(
        _ lock: SandboxLock, _ mode: SandboxLock.Mode, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let error = try #require(throws: AtriumError.self, sourceLocation: location) { try lock.acquire(mode) }
        #expect(error.code == .sandboxBusy, sourceLocation: location)
        #expect(error.detail == "process \(getpid()) works on it", sourceLocation: location)
    }

    @Test("that one host has alone is refused to all others, who are told who it is")
    func exclusive() async throws {
        try await Self.withLocks { sandbox, one, other in
            try one.acquire(.exclusive)
            try expectBusy(other, .exclusive)
            try expectBusy(other, .shared)
            one.release(.exclusive)
            #expect(!sandbox.lock.exists)
            try other.acquire(.exclusive)
            other.release(.exclusive)
            #expect(!sandbox.lock.exists)
        }
    }

    @Test("can be shared, and then nobody can have it alone")
    func shared() async throws {
        try await Self.withLocks { sandbox, one, other in
            try one.acquire(.shared)
            try other.acquire(.shared)
            try expectBusy(SandboxLock(sandbox), .exclusive)
            one.release(.shared)
            #expect(sandbox.lock.exists)
            try expectBusy(one, .exclusive)
            other.release(.shared)
            #expect(!sandbox.lock.exists)
            try one.acquire(.exclusive)
            one.release(.exclusive)
        }
    }

    @Test("that is shared with others can not be made exclusive, and is still shared after the attempt")
    func refusedUpgrade() async throws {
        try await Self.withLocks { sandbox, one, other in
            try one.acquire(.shared)
            try other.acquire(.shared)
            try expectBusy(one, .exclusive)
            other.release(.shared)
            try expectBusy(other, .exclusive)
            one.release(.shared)
            #expect(!sandbox.lock.exists)
        }
    }

    @Test("that nobody else shares can be made exclusive, and goes back to shared")
    func upgrade() async throws {
        try await Self.withLocks { sandbox, one, other in
            try one.acquire(.shared)
            try one.acquire(.exclusive)
            try expectBusy(other, .shared)
            one.release(.exclusive)
            try other.acquire(.shared)
            one.release(.shared)
            #expect(sandbox.lock.exists)
            other.release(.shared)
            #expect(!sandbox.lock.exists)
        }
    }

    @Test("is held until it has been given back as often as it was taken")
    func counted() async throws {
        try await Self.withLocks { _, one, other in
            try one.acquire(.exclusive)
            try one.acquire(.exclusive)
            try one.acquire(.shared)
            one.release(.exclusive)
            try expectBusy(other, .shared)
            one.release(.exclusive)
            try other.acquire(.shared)
            try expectBusy(other, .exclusive)
            one.release(.shared)
            try other.acquire(.exclusive)
            other.release(.exclusive)
            other.release(.shared)
        }
    }

    @Test("is no file while there is no registry to protect")
    func nothingToProtect() async throws {
        try await Self.withLocks(registry: false) { sandbox, one, other in
            try one.acquire(.shared)
            #expect(!sandbox.lock.exists)
            try other.acquire(.exclusive)
            other.release(.exclusive)
            // A first install that fails leaves no registry, and one that succeeds does.
            try one.acquire(.exclusive)
            one.release(.exclusive)
            #expect(!sandbox.lock.exists)
            try one.acquire(.exclusive)
            try sandbox.registry.write("")
            one.release(.exclusive)
            try expectBusy(other, .exclusive)
            one.release(.shared)
            #expect(!sandbox.lock.exists)
        }
    }

    @Test("where nothing can be written is shared without a file, and had alone by nobody")
    func unwritable() async throws {
        try await Self.withLocks { sandbox, one, _ in
            let root = sandbox.root.string
            await #expect(processExitsWith: .success) { [root = root as String] in
                let sandbox = Sandbox(root: FilePath(root))
                try becomeReader(of: sandbox)
                let lock = SandboxLock(sandbox)
                try lock.acquire(.shared)
                #expect(!sandbox.lock.exists)
                let error = try #require(throws: AtriumError.self) { try lock.acquire(.exclusive) }
                #expect(error.code == .sandboxUnwritable)
                lock.release(.shared)
            }
            try one.acquire(.exclusive)
            one.release(.exclusive)
        }
    }

    @Test("goes when its process dies, and then names nobody")
    func death() async throws {
        try await Self.withLocks { sandbox, one, _ in
            let root = sandbox.root.string
            await #expect(processExitsWith: .signal(SIGKILL)) { [root = root as String] in
                try SandboxLock(Sandbox(root: FilePath(root))).acquire(.exclusive)
                kill(getpid(), SIGKILL)
            }
            #expect(try sandbox.lock.text.hasPrefix("process "))
            #expect(try sandbox.lock.text != "process \(getpid())\n")
            try one.acquire(.exclusive)
            #expect(try sandbox.lock.text == "process \(getpid())\n")
            one.release(.exclusive)
            #expect(!sandbox.lock.exists)
        }
    }

    @Test("names a holder that lives, and not one that shared it and has left")
    func staleOwner() async throws {
        try await Self.withLocks { sandbox, one, other in
            try one.acquire(.shared)
            let root = sandbox.root.string
            await #expect(processExitsWith: .success) { [root = root as String] in
                let lock = SandboxLock(Sandbox(root: FilePath(root)))
                try lock.acquire(.shared)
                lock.release(.shared)
            }
            #expect(try sandbox.lock.text.split(separator: "\n").count == 2)
            try expectBusy(other, .exclusive)
            one.release(.shared)
        }
    }

    @Test("is never had alone by two at once, however often and by how many it is taken")
    func contention() async throws {
        try await Self.withLocks { sandbox, _, _ in
            let inside = sandbox.root.appending("inside")
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let lock = SandboxLock(sandbox)
                        for _ in 0..<200 {
                            do {
                                try lock.acquire(.exclusive)
                            } catch let error as AtriumError where error.code == .sandboxBusy {
                                continue
                            }
                            // Made by one only: a second one inside would find it.
                            #expect(mkdir(inside.string, 0o755) == 0)
                            #expect(rmdir(inside.string) == 0)
                            lock.release(.exclusive)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(!sandbox.lock.exists)
        }
    }

    @Test("shared by many who come and go is refused to none of them, and leaves no file")
    func comingAndGoing() async throws {
        try await Self.withLocks { sandbox, _, _ in
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let lock = SandboxLock(sandbox)
                        for _ in 0..<200 {
                            try lock.acquire(.shared)
                            lock.release(.shared)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(!sandbox.lock.exists)
        }
    }
}
