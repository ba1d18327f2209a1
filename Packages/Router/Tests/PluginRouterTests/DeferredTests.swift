import FoundationEssentials
import PluginCore
import PluginRouter
import Synchronization
import Testing

@Suite("Deferred requests", .tags(.small))
@MainActor
struct DeferredTests {
    private func uri(_ text: String) throws -> ResourceURI { try ResourceURI(text) }

    @Test("A request is stored once per address and caller, in order of arrival")
    func deduplicated() throws {
        var queue = DeferredQueue()
        try queue.add(uri("app://a"), for: .external, at: 1)
        try queue.add(uri("app://b"), for: .external, at: 2)
        try queue.add(uri("app://a"), for: .plugin("shop"), at: 3)
        try queue.add(uri("app://a"), for: .external, at: 4)
        #expect(
            queue.requests.map { "\($0.address) \($0.origin) \($0.time)" } == [
                "app://a external link 4", "app://b external link 2", "app://a plugin shop 3",
            ])
    }

    @Test("The queue rejects requests above the limit after removing expired ones")
    func bounded() throws {
        var queue = DeferredQueue()
        for number in 0..<32 { try queue.add(uri("app://a/\(number)"), for: .host, at: 0) }
        let error = #expect(throws: AtriumError.self) { try queue.add(uri("app://b"), for: .host, at: 86_399) }
        #expect(error?.code == .deferredFull)
        try queue.add(uri("app://a/3"), for: .host, at: 86_399)
        try queue.add(uri("app://b"), for: .host, at: 86_400)
        #expect(queue.requests.map(\.address) == ["app://a/3", "app://b"])
    }

    @Test("A request expires after the maximum waiting time, whatever time the file contains")
    func expiring() throws {
        let limits = RouterLimits(deferredLifetime: .seconds(10))
        var queue = try JSONDecoder().decode(
            DeferredQueue.self,
            from: Data(
                """
                {"requests": [
                    {"address": "app://old", "origin": "host", "time": 0},
                    {"address": "app://new", "origin": "host", "time": 5},
                    {"address": "app://never", "origin": "host", "time": \(Int64.min)},
                    {"address": "app://later", "origin": "host", "time": \(Int64.max)}]}
                """.utf8))
        #expect(queue.due(at: 10, within: limits).map(\.address) == ["app://new", "app://later"])
        #expect(queue.dropExpired(at: 10, within: limits).map(\.address) == ["app://old", "app://never"])
        #expect(queue.requests.count == 2)
    }

    @Test("A request with user info cannot be deferred")
    func userInfo() throws {
        var queue = DeferredQueue()
        let error = #expect(throws: AtriumError.self) {
            try queue.add(uri("app://a"), userInfo: ["then": 1], for: .host, at: 0)
        }
        #expect(error?.code == .notDeferrable)
        #expect(error?.reason?.description == "valuesNotSaved(names: [then])")
    }

    @Test("The queue can be encoded and decoded, and an unknown origin is an error")
    func coded() throws {
        var queue = DeferredQueue()
        for origin in [RequestOrigin.host, .external, .plugin("a"), .extension("b")] {
            try queue.add(uri("app://a?x=%2F#y"), for: origin, at: 7)
        }
        #expect(try JSONDecoder().decode(DeferredQueue.self, from: JSONEncoder().encode(queue)) == queue)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                DeferredQueue.self, from: Data(#"{"requests": [{"address": "a", "origin": "root", "time": 1}]}"#.utf8))
        }
    }

    /// A store that behaves like a host's file.
    private final class File: DeferredStore {
        private let data = Mutex<Data?>(nil)
        func load() throws -> DeferredQueue {
            try data.withLock {
                try $0.map { try JSONDecoder().decode(DeferredQueue.self, from: $0) } ?? DeferredQueue()
            }
        }
        func save(_ queue: DeferredQueue) throws {
            let text = try JSONEncoder().encode(queue)
            data.withLock { $0 = text }
        }
        var addresses: [String] { get throws { try load().requests.map(\.address) } }
    }

    private static func bundle(_ notes: Notes, failing: [String: AtriumError.Code]) -> FakeBundle {
        FakeBundle(
            identifier: "shop",
            routes: [RouteDeclaration(pattern: "shop/:id", kind: .handler, name: "one", exposure: .external)],
            serve: { request in
                let id = request.captures["id"] ?? ""
                notes.add("\(id) \(request.origin)")
                if let code = failing[id] { throw AtriumError(code, id) }
                return .object(())
            })
    }

    @Test("Requests are opened in order for their callers; those of unavailable bundles keep waiting, others fail")
    func opened() async throws {
        let (file, notes) = (File(), Notes())
        let failing: [String: AtriumError.Code] = [
            "2": .catalogUnreachable, "3": .inputOutput, "4": .sandboxBusy, "5": .bundleUnavailable,
        ]
        let fixture = RouterFixture(installed: [Self.bundle(notes, failing: failing)], deferred: file)
        try fixture.router.deferOpening(of: uri("app://shop/0"), for: .host, at: 1)
        for id in 1...5 { try fixture.router.deferOpening(of: uri("app://shop/\(id)"), for: .external, at: 90_000) }
        try fixture.router.deferOpening(of: uri("app://nowhere"), for: .plugin("x"), at: 90_000)
        let report = try await fixture.router.openDeferred(at: 90_001)
        #expect(report.expired.map(\.address) == ["app://shop/0"])
        #expect(report.opened.map(\.address) == ["app://shop/1"])
        #expect(report.kept.map(\.request.address) == ["app://shop/2", "app://shop/4", "app://shop/5"])
        #expect(report.dropped.map(\.request.address) == ["app://shop/3", "app://nowhere"])
        #expect(report.dropped.map { ($0.error as? AtriumError)?.code } == [.inputOutput, .routeUnknown])
        #expect(notes.all == (1...5).map { "\($0) external link" })
        #expect(try file.addresses == ["app://shop/2", "app://shop/4", "app://shop/5"])
    }

    @Test("A request is removed before it is opened, so one that crashes the host is not tried again")
    func tried() async throws {
        let (file, notes) = (File(), Notes())
        let fixture = RouterFixture(installed: [], deferred: file)
        try await fixture.router.register("crash", kind: .handler) { _ in
            notes.add("\(try file.addresses)")
            throw AtriumError(.sandboxBusy, "x")
        }
        try await fixture.router.register("later", kind: .handler) { _ in throw AtriumError(.sandboxBusy, "x") }
        try fixture.router.deferOpening(of: uri("app://crash"), for: .host, at: 1)
        try fixture.router.deferOpening(of: uri("app://later"), for: .host, at: 2)
        _ = try await fixture.router.openDeferred(at: 3)
        #expect(notes.all == ["[\"app://later\"]"])
        #expect(try file.addresses == ["app://crash", "app://later"])
    }

    @Test("If the user cancels, the request that is being opened and those after it keep waiting")
    func canceled() async throws {
        let file = File()
        let router = RouterFixture(installed: [], deferred: file).router
        for name in ["a", "b", "c"] { try router.deferOpening(of: uri("app://\(name)"), for: .external, at: 1) }
        let round = Task {
            try await router.openDeferred(at: 2) { request in
                guard request.address == "app://b" else { return }
                withUnsafeCurrentTask { $0?.cancel() }
                throw AtriumError(.pluginFailed, "b")
            }
        }
        let report = try await round.value
        #expect(report.opened.map(\.address) == ["app://a"])
        #expect(report.dropped.isEmpty)
        #expect(try file.addresses == ["app://b", "app://c"])
    }

    @Test("A request that cannot be put back into a full queue is dropped with its error")
    func crowdedOut() async throws {
        let fixture = RouterFixture(installed: [], limits: RouterLimits(deferredRequests: 1), deferred: File())
        let (router, other) = (fixture.router, try uri("app://other"))
        try await router.register("busy", kind: .handler) { _ in
            try router.deferOpening(of: other, for: .host, at: 1)
            throw AtriumError(.sandboxBusy, "x")
        }
        try router.deferOpening(of: uri("app://busy"), for: .host, at: 1)
        let report = try await router.openDeferred(at: 1)
        #expect(report.kept.isEmpty)
        #expect(report.dropped.map(\.request.address) == ["app://busy"])
    }

    @Test("The host can decide how requests are opened and which errors let them keep waiting")
    func ownWay() async throws {
        let file = File()
        let router = RouterFixture(installed: [], deferred: file).router
        for name in ["a", "b", "c"] { try router.deferOpening(of: uri("app://\(name)"), for: .external, at: 1) }
        var opened: [String] = []
        let report = try await router.openDeferred(at: 2) {
            opened.append("\($0.address) \($0.origin)")
            if $0.address == "app://a" { throw AtriumError(.inputOutput, "a") }
            if $0.address == "app://b" { throw AtriumError(.sandboxBusy, "b") }
        } waitingOn: {
            ($0 as? AtriumError)?.code == .inputOutput
        }
        #expect(opened == ["a", "b", "c"].map { "app://\($0) external link" })
        #expect(report.dropped.map(\.request.address) == ["app://b"])
        #expect(try file.addresses == ["app://a"])
    }

    @Test("Waiting requests keep their order, however often they are tried")
    func order() async throws {
        let file = File()
        let router = RouterFixture(installed: [], deferred: file).router
        for name in ["a", "b", "c", "d"] { try router.deferOpening(of: uri("app://\(name)"), for: .host, at: 1) }
        for _ in 0..<2 {
            _ = try await router.openDeferred(at: 2) { request in
                if request.address != "app://b" { throw AtriumError(.sandboxBusy, request.address) }
            }
            #expect(try file.addresses == ["app://a", "app://c", "app://d"])
        }
    }

    @Test("Requests survive a restart, and an opened one is not opened again")
    func restart() async throws {
        let (file, notes) = (File(), Notes())
        let before = RouterFixture(installed: [], deferred: file)
        try before.router.deferOpening(of: uri("app://shop/1"), for: .external, at: 1)
        let after = RouterFixture(installed: [Self.bundle(notes, failing: [:])], deferred: file)
        #expect(try await after.router.openDeferred(at: 2).opened.count == 1)
        #expect(try await after.router.openDeferred(at: 2).opened.isEmpty)
        #expect(notes.all == ["1 external link"])
    }

    @Test("Only one call opens requests at a time, and requests that arrive meanwhile wait for the next")
    func reentrant() async throws {
        let file = File()
        let fixture = RouterFixture(installed: [], deferred: file)
        let router = fixture.router
        let next = try uri("app://next")
        try await router.register("again", kind: .handler) { _ in
            try router.deferOpening(of: next, for: .host, at: 1)
            return .object(try await router.openDeferred(at: 1).opened.count)
        }
        try await router.register("next", kind: .handler) { _ in .object(()) }
        try router.deferOpening(of: uri("app://again"), for: .host, at: 1)
        #expect(try await router.openDeferred(at: 1).opened.map(\.address) == ["app://again"])
        #expect(try file.addresses == ["app://next"])
    }

    @Test("A deferred external request must not exceed the limits")
    func size() throws {
        let fixture = RouterFixture(installed: [], limits: RouterLimits(externalAddressBytes: 10))
        let error = #expect(throws: AtriumError.self) {
            try fixture.router.deferOpening(of: uri("app://a/much/longer"), for: .external, at: 1)
        }
        #expect(error?.code == .requestTooLarge)
    }
}
