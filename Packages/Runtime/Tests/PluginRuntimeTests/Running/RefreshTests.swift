import HostSystem
import PluginCore
import PluginRouter
import Synchronization
import Testing
@testable import PluginRuntime
@testable import Registry

@Suite("Changes by another process to a running bundle, and its open pages", .tags(.medium), .timeLimit(.minutes(15)))
struct RefreshTests {
    private let other: TestHost
    private let host: TestHost
    private var router: Router { host.router }
    private var mediator: Mediator { host.mediator }

    init() async throws { (host, other) = try await Self.twoHosts() }

    /// Returns a host that uses the first of two versions, and another host of the same sandbox.
    static func twoHosts(drainDeadline: Duration = .seconds(3600)) async throws -> (TestHost, TestHost) {
        let host = TestHost(drainDeadline: drainDeadline, installsOnDemand: false)
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
        let other = host.another()
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
        while try await mediator.perform("act", on: "Shop", returning: String.self) != "2.0.0" { await Task.yield() }
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
        try await failingAsync(.targetUnknown) { try await mediator.perform("act", on: "Shop") }
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
        let host = TestHost()
        await host.manager.liveUpdates.catchUp()
        #expect(await host.manager.liveUpdates.watch == nil)
        #expect(!host.sandbox.root.exists)
    }

    private var navigator: SilentNavigator { host.navigator }

    /// A way in which a page gets onto the stack.
    enum Way: CaseIterable, Sendable {
        case address, request, action, page
    }

    @MainActor
    private func show(_ way: Way) async throws -> any Page {
        switch way {
        case .address: try await router.open("app://screen")
        case .request: navigator.push(try await router.page(for: "app://screen"))
        case .action: navigator.push(try await host.mediator.perform("screen", on: "Shop", returning: (any Page).self))
        case .page:
            try await router.open("app://screen")
            try await navigator.pages.last?.perform("push", input: [:], on: navigator)
        }
        return try #require(navigator.pages.last)
    }

    @Test("Open pages of a replaced version work, and it retires when the last one is closed", arguments: Way.allCases)
    @MainActor
    func pages(way: Way) async throws {
        var old: (any Page)? = try await show(way)
        let count = navigator.pages.count
        try await other.manager.update(.shop)
        try await router.open("app://screen")
        try await navigator.pages.last?.perform("act", input: [:], on: navigator)
        try await old?.perform("act", input: [:], on: navigator)
        #expect(navigator.notices == ["2.0.0 got 2.0.0", "1.0.0 got 2.0.0"])
        #expect(navigator.pages.map(\.title) == Array(repeating: "1.0.0", count: count) + ["2.0.0"])
        await host.manager.running.ended(.shop)
        #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
        navigator.pop()
        try await old?.perform("act", input: [:], on: navigator)
        await host.manager.liveUpdates.refresh()
        await host.manager.liveUpdates.catchUp()
        #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
        old = nil
        while !navigator.pages.isEmpty { navigator.pop() }
        await host.hears("retired", of: "1.0.0")
        #expect(host.states(of: "com.example.app.shop@2.0.0").last == "active")
    }

    @Test("A page that was asked for and not opened is watched while a host draws it, like every page of its bundle")
    @MainActor
    func watched() async throws {
        let page = try await router.page(for: "app://screen")
        #expect(navigator.pages.isEmpty)
        let watched = host.manager.pageWatcher.watched(page)
        #expect(watched !== page && watched.title == "1.0.0")
        // A row opens the address that the page shows, and no other one.
        try await watched.perform("app://screen", input: [:], on: navigator)
        #expect(navigator.pages.map(\.title) == ["1.0.0"])
        try await failingAsync(.pageActionUnknown) {
            try await watched.perform("app://shop", input: [:], on: navigator)
        }
    }

    @Test("A page can leave the stack during an action and finish the action")
    @MainActor
    func leaving() async throws {
        try await router.open("app://screen")
        try await host.manager.update(.shop)
        try await navigator.pages.last?.perform("leave", input: [:], on: navigator)
        #expect(navigator.notices == ["1.0.0 got 2.0.0"])
        await host.hears("retired", of: "1.0.0")
    }

    @Test("Pages in memory that left the stack keep their version for the drain deadline only")
    @MainActor
    func kept() async throws {
        let (host, _) = try await Self.twoHosts(drainDeadline: .milliseconds(30))
        let (router, navigator) = (host.router, host.navigator)
        try await router.open("app://screen")
        try await navigator.pages.last?.perform("keep", input: [:], on: navigator)
        let page = try #require(navigator.pages.last)
        try await host.manager.update(.shop)
        // Waits longer than the deadline, which doesn't apply to visible pages.
        let end = ContinuousClock.now + .milliseconds(100)
        while ContinuousClock.now < end { await host.manager.liveUpdates.catchUp() }
        #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
        navigator.pop()
        await host.manager.liveUpdates.catchUp()
        await host.hears("retired", of: "1.0.0")
        try await failingAsync(.bundleUnavailable) { try await page.perform("act", input: [:], on: navigator) }
    }

    @Test("A process reports the end of a version when its last open page is closed, and not before")
    @MainActor
    func uses() async throws {
        try await router.open("app://screen")
        let folder = host.sandbox.folder(of: try host.bundle())
        func isUsed() throws -> Bool {
            guard let removal = try FolderLock.removal(of: folder) else { return true }
            removal.release()
            return false
        }
        try await other.manager.update(.shop)
        try await router.open("app://screen")
        // Activates the first version again while a page of its first activation is open.
        try await other.manager.rollBack(.shop)
        try await router.open("app://screen")
        #expect(navigator.pages.map(\.title) == ["1.0.0", "2.0.0", "1.0.0"])
        try await other.manager.rollBack(.shop)
        try await router.open("app://shop")
        await host.manager.running.ended(.shop)
        #expect(try isUsed())
        navigator.pop()
        await host.hearsRetired("1.0.0", times: 1)
        #expect(try isUsed())
        navigator.pop()
        await host.hearsRetired("2.0.0", times: 1)
        #expect(try isUsed())
        navigator.pop()
        await host.hearsRetired("1.0.0", times: 2)
        #expect(try !isUsed())
    }

    @Test("Declarative pages of a replaced version work, and its resources stay, until the pages are closed")
    @MainActor
    func data() async throws {
        try await router.open("app://words")
        // A version that has run successfully becomes the rollback target, so only the page retains the first one.
        try other.registry.recordSuccessfulRun(try await other.manager.update(.shop).bundle)
        try host.offer(
            SamplePackage(
                version: "3.0.0", kind: "assets",
                routes: [#"{"pattern": "words", "page": "words", "layout": "main/words"}"#],
                library: nil, files: Self.words(of: "3.0.0")))
        await host.manager.liveUpdates.catchUp()
        await host.hears("retired", of: "1.0.0")
        try await other.manager.update(.shop)
        try await other.collectGarbage()
        #expect(try host.folders().contains("1.0.0"))
        #expect(navigator.pages.map(\.title) == ["Words of 1.0.0"])
        navigator.pop()
        try await router.open("app://words")
        #expect(navigator.pages.map(\.title) == ["Words of 3.0.0"])
        try await other.collectGarbage()
        #expect(try Set(host.folders()) == ["2.0.0", "3.0.0"])
    }

    @Test("Pages of a replaced version fail once their successor is removed too")
    @MainActor
    func removedSuccessor() async throws {
        try await router.open("app://screen")
        let page = try #require(navigator.pages.last)
        try await other.manager.update(.shop)
        try await router.open("app://screen")
        await host.manager.running.ended(.shop)
        try await other.manager.uninstall(.shop)
        _ = await router.canOpen(try ResourceURI("app://shop"))
        await host.hears("retired", of: "1.0.0")
        await #expect(throws: AtriumError.self) { try await page.perform("act", input: [:], on: navigator) }
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

extension TestHost {
    fileprivate func hearsRetired(_ version: String, times: Int) async {
        let start = "com.example.app.shop@\(version) retired"
        while events.count(where: { "\($0.identity) \($0.state)".hasPrefix(start) }) < times { await Task.yield() }
    }
}
