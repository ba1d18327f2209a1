import Registry
import PluginCore
import PluginRouter
import PluginRuntime
import Synchronization
import Testing

@testable import AppHost

@Suite("Stored requests", .tags(.medium))
struct DeferredRequestsTests {
    private static let lifetime = RouterLimits.standard.deferredLifetime.components.seconds

    private let folder: TemporaryFolder
    private let clock = Ticker()

    private final class Ticker: Sendable {
        private let seconds = Mutex<Int64>(1_000)
        var now: Int64 { seconds.withLock { $0 } }
        func pass(_ time: Int64) { seconds.withLock { $0 += time } }
    }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The requests of the sandbox as a later process reads them.
    private func requests() -> DeferredRequests {
        let sandbox = Sandbox(root: folder.path.appending("sandbox"))
        return DeferredRequests(DeferredFile(sandbox) { _ in }, now: { [clock] in clock.now })
    }

    private func save(_ address: String, for origin: RequestOrigin = .host) throws {
        try requests().save(ResourceURI("app://\(address)"), for: origin)
    }

    private var waiting: [String] {
        get throws { try requests().waiting().map { String($0.address.dropFirst(6)) } }
    }

    @Test("A request is stored once per address and origin, keeps its position, and its lifetime restarts")
    func deduplicated() throws {
        try save("a")
        clock.pass(10)
        try save("b?x=1")
        try save("b?x=2", for: .external)
        try save("b?x=1", for: .external)
        clock.pass(10)
        try save("a")
        #expect(try waiting == ["a", "b?x=1", "b?x=2", "b?x=1"])
        #expect(try requests().waiting().map(\.origin) == [.host, .host, .external, .external])
        let first = try #require(try requests().waiting().first)
        #expect(requests().end(of: first) == 1_020 + Self.lifetime)
    }

    @Test("A request expires after a day and makes room")
    func expiring() throws {
        try save("old")
        clock.pass(Self.lifetime - 1)
        #expect(try waiting == ["old"])
        clock.pass(1)
        #expect(try waiting == [])
        try save("new")
        #expect(try waiting == ["new"])
    }

    @Test("A request beyond the limit is rejected, and all others are kept")
    func bounded() throws {
        let capacity = RouterLimits.standard.deferredRequests
        for number in 0..<capacity { try save("\(number)") }
        let error = #expect(throws: AtriumError.self) { try save("more") }
        #expect(error?.code == .deferredFull && error?.subject == "app://more")
        try save("0")
        #expect(try waiting.count == capacity)
        clock.pass(Self.lifetime)
        try save("more")
        #expect(try waiting == ["more"])
    }

    @Test("All requests can be removed at once")
    func clear() throws {
        try save("a")
        try save("b")
        #expect(try requests().clear().map(\.address) == ["app://a", "app://b"])
        #expect(try waiting == [])
    }
}
