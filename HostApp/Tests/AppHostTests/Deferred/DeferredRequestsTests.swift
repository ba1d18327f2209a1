import PluginCore
import PluginRuntime
import Synchronization
import Testing

@testable import AppHost

@Suite("Requests that wait")
struct DeferredRequestsTests {
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

    /// The requests of the sandbox, as the next process finds them.
    private func requests() -> DeferredRequests {
        let sandbox = Sandbox(root: folder.path.appending("sandbox"))
        return DeferredRequests(DeferredFile(sandbox) { _ in }, now: { [clock] in clock.now })
    }

    private func keep(_ address: String) throws {
        try requests().keep(ResourceURI("app://\(address)"), because: .catalogUnreachable)
    }

    private var waiting: [String] { requests().waiting().map { String($0.url.dropFirst(6)) } }

    @Test("are each kept once, in the place of the first time, and for a day from the last")
    func deduplicated() throws {
        try keep("a")
        clock.pass(10)
        try keep("b?x=1")
        try keep("b?x=2")
        clock.pass(10)
        try keep("a")
        #expect(waiting == ["a", "b?x=1", "b?x=2"])
        let first = try #require(requests().waiting().first)
        #expect(first.since == 1_000 && first.until == 1_020 + DeferredRequests.lifetime)
    }

    @Test("are of no use after a day, and make room")
    func expiring() throws {
        try keep("old")
        clock.pass(DeferredRequests.lifetime - 1)
        #expect(waiting == ["old"])
        clock.pass(1)
        #expect(waiting == [])
        try keep("new")
        #expect(waiting == ["new"])
    }

    @Test("are so many at most, and the one too many is refused while all others stay")
    func bounded() throws {
        for number in 0..<DeferredRequests.capacity { try keep("\(number)") }
        let error = #expect(throws: AtriumError.self) { try keep("more") }
        #expect(error?.code == .deferredFull && error?.subject == "app://more")
        try keep("0")
        #expect(waiting.count == DeferredRequests.capacity)
        clock.pass(DeferredRequests.lifetime)
        try keep("more")
        #expect(waiting == ["more"])
    }

    @Test("are tried the oldest first; what is not ready keeps its place and its time, the rest goes")
    func run() async throws {
        for name in ["a", "b", "c"] {
            try keep(name)
            clock.pass(1)
        }
        let before = requests().waiting()
        var tried: [String] = []
        try await requests().run { record in
            tried.append(record.url)
            // It does not wait while it is tried: another process would try it as well, or again after a crash.
            #expect(!waiting.contains(String(record.url.dropFirst(6))))
            return record.url == "app://b" ? .over : .notReady(.sandboxBusy)
        }
        #expect(tried == ["app://a", "app://b", "app://c"])
        let after = requests().waiting()
        #expect(after.map(\.url) == ["app://a", "app://c"])
        #expect(after.map(\.until) == [before[0].until, before[2].until])
        #expect(after.map(\.reason) == ["sandboxBusy", "sandboxBusy"])
    }

    @Test("that are taken by another process meanwhile are not tried twice")
    func taken() async throws {
        try keep("a")
        try keep("b")
        var tried: [String] = []
        try await requests().run { record in
            tried.append(record.url)
            _ = try requests().clear()
            return .over
        }
        #expect(tried == ["app://a"])
    }

    @Test("are all dropped at once")
    func clear() throws {
        try keep("a")
        try keep("b")
        #expect(try requests().clear().map(\.url) == ["app://a", "app://b"])
        #expect(waiting == [])
    }
}
