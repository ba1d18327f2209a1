import PluginCore
import Testing

@testable import PluginRouter

@Suite("The data structure of request chains", .tags(.small))
struct RequestChainTests {
    private func inside<R>(_ steps: RequestChain.Step..., body: () async throws -> R) async throws -> R {
        try await inside(steps[...], body)
    }

    private func inside<R>(_ steps: ArraySlice<RequestChain.Step>, _ body: () async throws -> R) async throws -> R {
        guard let first = steps.first else { return try await body() }
        return try await RequestChain.pushing(first).run { try await inside(steps.dropFirst(), body) }
    }

    @Test("An address that leads back to itself fails with the path, one step per line")
    func cycle() async throws {
        let error = try await inside(.address("app://a"), .call("Shop.price")) {
            #expect(throws: AtriumError.self) { try RequestChain.pushing(.address("app://a")) }
        }
        #expect(error?.code == .routeCycle)
        #expect(error?.reason?.values == ["path": ["app://a", "Shop.price", "app://a"]])
        #expect(error?.problems == ["app://a", "Shop.price", "app://a"].map { .verbatim($0) })
    }

    @Test("A chain that exceeds the limit fails, even if it consists of one call that calls itself")
    func depth() async throws {
        func call(_ depth: Int) async throws -> Int {
            let chain = try RequestChain.pushing(.call("Shop.price"), limit: 5)
            return try await chain.run { try await call(depth + 1) }
        }
        let error = await #expect(throws: AtriumError.self) { try await call(0) }
        #expect(error?.code == .chainTooLong)
        #expect(error?.problems == Array(repeating: .verbatim("Shop.price"), count: 6))
    }

    @Test("All requests of a chain share a number that no other chain has")
    func identity() async throws {
        let (one, deeper) = try await inside(.address("app://a")) {
            (RequestChain.current?.number, try RequestChain.pushing(.call("Shop.price")).number)
        }
        #expect(one == deeper)
        #expect(try RequestChain.pushing(.address("app://a")).number != one)
    }

    @Test("A task that outlives its request can open the same address again")
    func leftRunning() async throws {
        let (served, gate) = AsyncStream<Void>.makeStream()
        let later = try await inside(.address("app://a")) {
            Task {
                for await _ in served {}
                return try RequestChain.pushing(.address("app://a")).depth
            }
        }
        gate.finish()
        #expect(try await later.value == 1)
    }
}
