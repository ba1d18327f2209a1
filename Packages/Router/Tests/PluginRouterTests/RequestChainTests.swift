import PluginCore
import Testing

@testable import PluginRouter

@Suite("A chain of requests")
struct RequestChainTests {
    private func inside<R>(_ steps: RequestChain.Step..., body: () async throws -> R) async throws -> R {
        try await inside(steps[...], body)
    }

    private func inside<R>(_ steps: ArraySlice<RequestChain.Step>, _ body: () async throws -> R) async throws -> R {
        guard let first = steps.first else { return try await body() }
        return try await RequestChain.pushing(first).run { try await inside(steps.dropFirst(), body) }
    }

    @Test("prints the path, one step a line, when an address leads back to itself")
    func cycle() async throws {
        let error = try await inside(.address("app://a"), .call("Shop.price")) {
            #expect(throws: AtriumError.self) { try RequestChain.pushing(.address("app://a")) }
        }
        #expect(error?.code == .routeCycle)
        #expect(error?.detail == "app://a -> Shop.price -> app://a")
        #expect(error?.problems == ["app://a", "Shop.price", "app://a"])
    }

    @Test("ends when it has become too long, a call that comes back to itself included")
    func depth() async throws {
        func call(_ depth: Int) async throws -> Int {
            let chain = try RequestChain.pushing(.call("Shop.price"), limit: 5)
            return try await chain.run { try await call(depth + 1) }
        }
        let error = await #expect(throws: AtriumError.self) { try await call(0) }
        #expect(error?.code == .chainTooLong)
        #expect(error?.problems == Array(repeating: "Shop.price", count: 6))
    }

    @Test("has one id for all its requests, which no other chain has")
    func identity() async throws {
        let (one, deeper) = try await inside(.address("app://a")) {
            (RequestChain.current?.id, try RequestChain.pushing(.call("Shop.price")).id)
        }
        #expect(one == deeper)
        #expect(try RequestChain.pushing(.address("app://a")).id != one)
    }

    @Test("lets what a request has left running ask for the same address once that has been served")
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
