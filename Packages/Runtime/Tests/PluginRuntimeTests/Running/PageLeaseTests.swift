import PluginCore
import PluginRouter
import Synchronization
import Testing

@testable import Registry
@testable import PluginRuntime

@Suite("Open pages of a replaced version", .tags(.medium), .timeLimit(.minutes(15)))
struct PageLeaseTests {
    private let other: TestHost
    private let host: TestHost
    private var router: Router { host.router }
    private var navigator: SilentNavigator { host.navigator }

    init() async throws { (host, other) = try await RefreshTests.twoHosts() }

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

    @Test(
        "Open pages of a replaced version keep working, and the version retires when the last page is closed",
        arguments: Way.allCases)
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
        let (host, _) = try await RefreshTests.twoHosts(drainDeadline: .milliseconds(30))
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
        let ended = Mutex<[String]>([])
        host.manager.running.versionEnded = { bundle in
            ended.withLock { $0.append(bundle.identity.version.description) }
        }
        try await router.open("app://screen")
        try await other.manager.update(.shop)
        try await router.open("app://screen")
        // Activates the first version again while a page of its first activation is open.
        try await other.manager.rollBack(.shop)
        try await router.open("app://screen")
        #expect(navigator.pages.map(\.title) == ["1.0.0", "2.0.0", "1.0.0"])
        try await other.manager.rollBack(.shop)
        try await router.open("app://shop")
        await host.manager.running.ended(.shop)
        #expect(ended.withLock { $0 } == [])
        navigator.pop()
        try await host.hearsRetired("1.0.0", times: 1)
        #expect(ended.withLock { $0 } == [])
        navigator.pop()
        try await host.hearsRetired("2.0.0", times: 1)
        #expect(ended.withLock { $0 } == [])
        navigator.pop()
        try await host.hearsRetired("1.0.0", times: 2)
        #expect(ended.withLock { $0 } == ["1.0.0"])
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
                library: nil, files: RefreshTests.words(of: "3.0.0")))
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
    func removed() async throws {
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

extension TestHost {
    fileprivate func hearsRetired(_ text: String, times: Int) async throws {
        let identity = BundleIdentity(identifier: .shop, version: try version(text))
        let isRetired = { (event: LifecycleEvent) in
            if case .retired = event.state { event.identity == identity } else { false }
        }
        while events.count(where: isRetired) < times { await Task.yield() }
    }
}
