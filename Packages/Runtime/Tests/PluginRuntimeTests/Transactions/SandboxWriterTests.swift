import Synchronization
import Testing

@testable import HostSystem
@testable import Registry
@testable import PluginRuntime

@Suite("Plans of changes, before and under the writer lock", .tags(.medium))
struct SandboxWriterTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    @Test("A change that isn't needed takes no lock and changes nothing")
    func needless() async throws {
        try await host.install(SamplePackage())
        let before = try host.tree
        let lock = WriterLock(host.sandbox)
        try await lock.acquire()
        #expect(try await host.manager.transactions.pins.unpin(TestHost.shop) == nil)
        lock.release()
        #expect(try host.tree == before)
    }

    @Test("The plan that is made under the lock is applied, not the one before")
    func second() async throws {
        let plans = Atomic<Int>(0)
        let writer = host.manager.transactions.writer
        let applied = try await writer.change {
            plans.add(1, ordering: .relaxed).newValue
        } applying: { number in
            number
        }
        #expect(applied == 2)
    }
}
