import PluginCore
import PluginRouter
import Synchronization
import Testing

@testable import PluginRuntime

@Suite("The pages of a version that was replaced", .timeLimit(.minutes(15)))
struct PageLeaseTests {
    /// How a page gets onto the stack.
    enum Way: CaseIterable, Sendable {
        case address, action, page
    }

    @MainActor
    private static func show(
        _ way: Way, _ router: any Routing, _ mediator: any Mediating, on navigator: SilentNavigator
    ) async throws -> any Page {
        switch way {
        case .address: try await router.open("app://screen")
        case .action: navigator.push(try await mediator.perform("screen", on: "Shop", returning: (any Page).self))
        case .page:
            try await router.open("app://screen")
            try await navigator.pages.last?.perform("push", input: [:], on: navigator)
        }
        return try #require(navigator.pages.last)
    }

    @Test(
        "work on it, beside those of its successor, until the last has gone: then it retires", arguments: Way.allCases)
    @MainActor
    func pages(way: Way) async throws {
        try await RefreshTests.withTwoHosts { host, other, router, mediator, navigator in
            var old: (any Page)? = try await Self.show(way, router, mediator, on: navigator)
            let count = navigator.pages.count
            try await other.manager.update(TestHost.shop)
            try await router.open("app://screen")
            try await navigator.pages.last?.perform("act", input: [:], on: navigator)
            try await old?.perform("act", input: [:], on: navigator)
            #expect(navigator.notices == ["2.0.0 got 2.0.0", "1.0.0 got 2.0.0"])
            #expect(navigator.pages.map(\.title) == Array(repeating: "1.0.0", count: count) + ["2.0.0"])
            await host.manager.ended(TestHost.shop)
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
            navigator.pop()
            try await old?.perform("act", input: [:], on: navigator)
            await host.manager.refresh()
            await host.manager.catchUp()
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
            old = nil
            while !navigator.pages.isEmpty { navigator.pop() }
            await host.hears("retired", of: "1.0.0")
            #expect(host.states(of: "com.example.app.shop@2.0.0").last == "active")
        }
    }

    @Test("may leave the stack and go on with what they do")
    @MainActor
    func leaving() async throws {
        try await RefreshTests.withTwoHosts { host, other, router, _, navigator in
            try await router.open("app://screen")
            try await host.manager.update(TestHost.shop)
            try await navigator.pages.last?.perform("leave", input: [:], on: navigator)
            #expect(navigator.notices == ["1.0.0 got 2.0.0"])
            await host.hears("retired", of: "1.0.0")
        }
    }

    @Test("have as long as calls in flight when they have left the stack and stay in memory")
    @MainActor
    func kept() async throws {
        try await RefreshTests.withTwoHosts(drainDeadline: .milliseconds(30)) { host, other, router, _, navigator in
            try await router.open("app://screen")
            try await navigator.pages.last?.perform("keep", input: [:], on: navigator)
            let page = try #require(navigator.pages.last)
            try await host.manager.update(TestHost.shop)
            // Longer than the deadline, which is not for what is shown.
            let end = ContinuousClock.now + .milliseconds(100)
            while ContinuousClock.now < end { await host.manager.catchUp() }
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "draining")
            navigator.pop()
            await host.manager.catchUp()
            await host.hears("retired", of: "1.0.0")
            let error = await #expect(throws: AtriumError.self) {
                try await page.perform("act", input: [:], on: navigator)
            }
            #expect(error?.code == .bundleUnavailable)
        }
    }

    @Test("hold nothing up when there is none: the version ends when its calls have")
    @MainActor
    func none() async throws {
        try await RefreshTests.withTwoHosts { host, other, _, mediator, _ in
            let call = try await mediator.perform(
                "caller", on: "Shop", returning: (@Sendable () async throws -> any Sendable).self)
            try await host.manager.update(TestHost.shop)
            #expect(host.states(of: "com.example.app.shop@1.0.0").last == "retired")
            let error = await #expect(throws: AtriumError.self) { try await call() }
            #expect(error?.code == .bundleUnavailable)
        }
    }

    @Test("are all there is that keeps it in use: this process lets go of it with the last, and not before")
    @MainActor
    func uses() async throws {
        try await RefreshTests.withTwoHosts { host, other, router, _, navigator in
            let ended = Mutex<[String]>([])
            await host.manager.onVersionEnded { bundle in
                ended.withLock { $0.append(bundle.identity.version.description) }
            }
            try await router.open("app://screen")
            try await other.manager.update(TestHost.shop)
            try await router.open("app://screen")
            // The first version again, while a page of its first use is open.
            try await other.manager.rollBack(TestHost.shop)
            try await router.open("app://screen")
            #expect(navigator.pages.map(\.title) == ["1.0.0", "2.0.0", "1.0.0"])
            try await other.manager.rollBack(TestHost.shop)
            try await router.open("app://shop")
            await host.manager.ended(TestHost.shop)
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
    }

    @Test(
        "that are data work on its resources until they close, though its code has ended, and keep them on the disk so long"
    )
    @MainActor
    func data() async throws {
        try await RefreshTests.withTwoHosts { host, other, router, _, navigator in
            try await router.open("app://words")
            // One that has run is what is gone back to, so that nothing but the page keeps the first.
            try other.registry.prove(try await other.manager.update(TestHost.shop).bundle)
            try host.offer(
                SamplePackage(
                    version: "3.0.0", kind: "assets",
                    routes: [#"{"pattern": "words", "page": "words", "layout": "main/words"}"#],
                    library: nil, files: RefreshTests.words(of: "3.0.0")))
            await host.manager.catchUp()
            await host.hears("retired", of: "1.0.0")
            try await other.manager.update(TestHost.shop)
            _ = try await other.manager.collectGarbage()
            #expect(try host.folders().contains("1.0.0"))
            #expect(navigator.pages.map(\.title) == ["Words of 1.0.0"])
            navigator.pop()
            try await router.open("app://words")
            #expect(navigator.pages.map(\.title) == ["Words of 3.0.0"])
            _ = try await other.manager.collectGarbage()
            #expect(try Set(host.folders()) == ["2.0.0", "3.0.0"])
        }
    }

    @Test("are cut off with the version that took its place when both are removed")
    @MainActor
    func removed() async throws {
        try await RefreshTests.withTwoHosts { host, other, router, _, navigator in
            try await router.open("app://screen")
            let page = try #require(navigator.pages.last)
            try await other.manager.update(TestHost.shop)
            try await router.open("app://screen")
            await host.manager.ended(TestHost.shop)
            try await other.manager.uninstall(TestHost.shop)
            _ = await router.canOpen(try ResourceURI("app://shop"))
            await host.hears("retired", of: "1.0.0")
            await #expect(throws: AtriumError.self) { try await page.perform("act", input: [:], on: navigator) }
        }
    }
}

extension BundleManager {
    fileprivate func onVersionEnded(_ body: @escaping @Sendable (PluginBundle) -> Void) { versionEnded = body }
}

extension TestHost {
    fileprivate func hearsRetired(_ text: String, times: Int) async throws {
        let identity = BundleIdentity(identifier: TestHost.shop, version: try version(text))
        let isRetired = { (event: LifecycleEvent) in
            if case .retired = event.state { event.identity == identity } else { false }
        }
        while events.count(where: isRetired) < times { await Task.yield() }
    }
}
