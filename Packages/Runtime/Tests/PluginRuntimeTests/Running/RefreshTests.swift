@testable import Registry
import PluginCore
import PluginRouter
import Synchronization
import Testing

@testable import PluginRuntime

@Suite("Changes by another process to a running bundle", .tags(.medium), .timeLimit(.minutes(15)))
struct RefreshTests {
    private let other: TestHost
    private let host: TestHost
    private var router: Router { host.router }
    private var mediator: Mediator { host.mediator }

    init() async throws { (host, other) = try await Self.twoHosts() }

    /// Returns a host that uses the first of two versions, and another host of the same sandbox.
    static func twoHosts(drainDeadline: Duration = .seconds(3600)) async throws -> (TestHost, TestHost) {
        let host = try TestHost(drainDeadline: drainDeadline, installsOnDemand: false)
        for (version, library) in [("1.0.0", LoadTests.one), ("2.0.0", LoadTests.two)] {
            let package = SamplePackage(
                version: version,
                routes: [
                    "shop", #"{"pattern": "screen", "page": "screen"}"#, #"{"pattern": "data", "object": "data"}"#,
                    #"{"pattern": "words", "page": "words", "layout": "main/words"}"#,
                ],
                targets: [#"{"name": "Shop", "actions": ["act", "hold", "screen", "caller", "greeting"]}"#],
                services: ["Greeting"], library: try await library.value, files: Self.words(of: version))
            try host.offer(package)
        }
        let other = try host.another()
        try await other.manager.install(.shop, version: host.version("1.0.0"))
        #expect(try await host.mediator.perform("act", on: "Shop", returning: String.self) == "1.0.0")
        return (host, other)
    }

    /// Returns files of a declarative page whose title is localized by the version.
    static func words(of version: String) -> [String: String] {
        [
            "Resources/Pages/main.json": #"{"pages": {"words": {"title": "@title", "content": []}}}"#,
            "Resources/en.lproj/Localizable.json": #"{"title": "Words of \#(version)"}"#,
        ]
    }

    @Test("Every request that starts after a change by another process sees the new version, by every kind of route")
    func strict() async throws {
        var version = "1.0.0"
        try await other.manager.update(.shop)
        for round in 0..<40 {
            version = round.isMultiple(of: 2) ? "2.0.0" : "1.0.0"
            if round > 0 { try await other.manager.rollBack(.shop) }
            // Routes that the previous version's code registered are removed with it.
            if round % 4 < 2 {
                await #expect(throws: AtriumError.self) {
                    try await router.object(for: "app://code/1", as: String.self)
                }
            }
            #expect(try await router.open("app://shop").value == version)
            #expect(try await router.object(for: "app://code/1", as: String.self) == version)
        }
    }

    @Test("Calls between running bundles pick up another process's update without a request")
    func calls() async throws {
        try await other.manager.update(.shop)
        while try await mediator.perform("act", on: "Shop", returning: String.self) != "2.0.0" {
            await Task.yield()
        }
    }

    @Test("A call in flight finishes on the version it began on, which then retires")
    func inFlight() async throws {
        let gate = AsyncGate()
        async let held = mediator.perform("hold", on: "Shop", ["hold": gate.hold], returning: String.self)
        await gate.arrival()
        try await other.manager.update(.shop)
        #expect(try await router.open("app://shop").value == "2.0.0")
        #expect(host.log == ["1.0.0 loads", "2.0.0 loads"])
        gate.open()
        #expect(try await held == "1.0.0")
        await host.hears("retired", of: "1.0.0")
        #expect(host.log == ["1.0.0 loads", "2.0.0 loads", "1.0.0 unloads"])
    }

    @Test("An uninstall by another process removes routes, targets, services and open pages")
    func removed() async throws {
        let call = try await mediator.perform(
            "caller", on: "Shop", returning: (@Sendable () async throws -> any Sendable).self)
        try await router.open("app://screen")
        try await other.manager.uninstall(.shop)
        let home = try ResourceURI("app://shop")
        #expect(await !router.canOpen(home))
        await #expect(throws: AtriumError.self) { try await router.object(for: "app://code/1", as: String.self) }
        try await failingAsync(.bundleUnavailable) { try await mediator.perform("act", on: "Shop") }
        await host.hears("retired", of: "1.0.0")
        await #expect(throws: AtriumError.self) { try await call() }
        let page = try #require(await host.navigator.pages.last)
        await #expect(throws: AtriumError.self) { try await page.perform("act", input: [:], on: host.navigator) }
        #expect(host.log == ["1.0.0 loads", "1.0.0 unloads"])
        try await other.manager.install(.shop, version: host.version("1.0.0"))
        #expect(try await router.open("app://shop").value == "1.0.0")
    }

    @Test("Each change by another process is reported exactly once, and the process's own changes are not")
    func told() async throws {
        let told = Mutex<[[OutsideChange]]>([])
        await MainActor.run { host.manager.liveUpdates.observer = { changes in told.withLock { $0.append(changes) } } }
        let (one, two) = (try host.version("1.0.0"), try host.version("2.0.0"))
        for _ in 0..<10 {
            try await host.manager.install(.shop, version: two)
            try await router.open("app://shop")
            try await host.manager.rollBack(.shop)
            try await router.open("app://shop")
        }
        #expect(told.withLock { $0 } == [])
        try await other.manager.rollBack(.shop)
        try await router.open("app://shop")
        try await router.open("app://shop")
        try await other.manager.rollBack(.shop)
        try await router.open("app://shop")
        try await other.manager.uninstall(.shop)
        _ = await router.canOpen(try ResourceURI("app://shop"))
        #expect(
            told.withLock { $0 } == [
                [OutsideChange(identifier: .shop, before: one, now: two)],
                [OutsideChange(identifier: .shop, before: two, now: one)],
                [OutsideChange(identifier: .shop, before: one, now: nil)],
            ])
    }

    @Test("A version is unloaded once even if an update and a refresh detect its end at the same time")
    func once() async throws {
        let two = try host.version("2.0.0")
        for _ in 0..<10 {
            async let update = host.manager.install(.shop, version: two)
            for _ in 0..<5 { await host.manager.liveUpdates.refresh() }
            _ = try await update
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "retired")
            try await router.open("app://shop")
            async let rollback = host.manager.rollBack(.shop)
            for _ in 0..<5 { await host.manager.liveUpdates.refresh() }
            _ = try await rollback
            #expect(host.states(of: "com.example.app.shop@2.0.0").last == "retired")
            try await router.open("app://shop")
        }
        let ends = host.log.filter { $0.hasSuffix("unloads") }
        #expect(ends == (0..<10).flatMap { _ in ["1.0.0 unloads", "2.0.0 unloads"] })
    }

    @Test("Requests never fail while another process switches versions")
    func unharmed() async throws {
        try await other.manager.update(.shop)
        let isOver = Flag()
        try await withThrowingTaskGroup { group in
            for kind in 0..<3 {
                group.addTask { @concurrent in
                    while !isOver.isRaised {
                        let answer =
                            switch kind {
                            case 0: try await router.open("app://shop").value
                            case 1: try await router.object(for: "app://data", as: String.self)
                            default: try await mediator.perform("act", on: "Shop", returning: String.self)
                            }
                        #expect(["1.0.0", "2.0.0"].contains(answer))
                    }
                }
            }
            for _ in 0..<30 { try await other.manager.rollBack(.shop) }
            isOver.raise()
            try await group.waitForAll()
        }
        #expect(try await router.open("app://shop").value == "2.0.0")
    }

    @Test("A process without bundles neither watches nor creates the registry")
    func idle() async throws {
        let host = try TestHost()
        await host.manager.liveUpdates.catchUp()
        #expect(await host.manager.liveUpdates.watch == nil)
        #expect(!host.sandbox.root.exists)
    }
}

extension RouteOutcome {
    /// The value that a handler returned.
    var value: String? { if case .handled(let value) = self { value as? String } else { nil } }
}

extension TestHost {
    /// Waits until a version of the sample has reached a state.
    func hears(_ state: String, of version: String) async {
        while states(of: "com.example.app.shop@" + version).last != state { await Task.yield() }
    }
}
