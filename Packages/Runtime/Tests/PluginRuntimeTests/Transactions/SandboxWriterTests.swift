import Synchronization
import Testing

@testable import Registry
@testable import PluginRuntime

@Suite("Plans of changes, before and under the writer lock", .tags(.medium))
struct SandboxWriterTests {
    @Test("A change that isn't needed takes no lock and creates nothing")
    func needless() async throws {
        try await withHost { host in
            let writer = host.manager.transactions.writer
            let result = try await writer.change { () throws -> SandboxWriter.Planned<Int, String> in
                .done("nothing to do")
            } applying: { _ in
                "applied"
            }
            #expect(result == "nothing to do")
            #expect(!writer.hasChanged)
            #expect(!host.sandbox.root.exists)
        }
    }

    @Test("The plan that is made under the lock is applied, not the one before")
    func second() async throws {
        try await withHost { host in
            let plans = Mutex(0)
            let writer = host.manager.transactions.writer
            let applied = try await writer.change { () throws -> SandboxWriter.Planned<Int, Int> in
                let number = plans.withLock { count in
                    count += 1
                    return count
                }
                return .change(number)
            } applying: { number in
                number
            }
            #expect(applied == 2)
            #expect(writer.hasChanged)
        }
    }

    @Test("A change that is done by another process meanwhile isn't applied again")
    func overtaken() async throws {
        try await withHost { host in
            let plans = Mutex(0)
            let result = try await host.manager.transactions.writer.change {
                () throws -> SandboxWriter.Planned<String, String> in
                let isFirst = plans.withLock { count in
                    defer { count += 1 }
                    return count == 0
                }
                return isFirst ? .change("due") : .done("done")
            } applying: { plan in
                plan
            }
            #expect(result == "done")
        }
    }
}
