import BundleStorage
import Doctor
import HostSystem
import PluginCatalog
import PluginCore
import PluginRouter
import Testing
@testable import PluginRuntime
@testable import Registry

@Suite("Activation of bundles, with and without a layer", .tags(.medium))
struct ActivationTests {
    private let clock = TestClock()
    private let host: TestHost
    private var router: Router { host.router }

    /// Offers two versions of a loadable bundle.
    init() async throws {
        host = TestHost(clock: clock)
        for (version, library) in [("1.0.0", LoadTests.one), ("2.0.0", LoadTests.two)] {
            try await host.offer(
                SamplePackage(version: version, routes: ["shop"], targets: ["Shop"], library: library.value))
        }
    }

    /// Returns what the bundle answers.
    private func act() async throws -> String {
        try await host.mediator.perform("act", on: "Shop", returning: String.self)
    }

    @Test("A process opens each version's library once, however often the version is loaded")
    func descriptors() async throws {
        try await host.install(version: "1.0.0")
        _ = try await act()
        try await host.manager.update(.shop)
        for _ in 0..<5 {
            _ = try await act()
            try await host.manager.rollBack(.shop)
        }
        #expect(try host.openLibraries() == 2)
    }

    @Test("A load continues for the other waiting callers if the first caller is canceled")
    func canceled() async throws {
        let host = TestHost()
        try host.offer(
            SamplePackage(
                library: await library(
                    ofSwift: """
                        final class Sample: BundleDelegate {
                            init(context: BundleContext) async throws {
                                context.logger.log(.info, "waits")
                                for _ in 0..<100 { await Task.yield() }
                                if Task.isCancelled { throw CancellationError() }
                            }
                        }
                        """)))
        try await host.manager.install(.shop)
        let first = Task { try await host.manager.principal(of: .shop) }
        while host.log.isEmpty { await Task.yield() }
        let second = Task { try await host.manager.principal(of: .shop) }
        first.cancel()
        _ = try await second.value
        #expect(host.log == ["waits"])
    }

    @Test("An uninstalled bundle is unreachable, including the routes it registered in code")
    func uninstalled() async throws {
        try await host.manager.install(.shop)
        _ = try await host.manager.principal(of: .shop)
        #expect(try await router.object(for: "app://code/1", as: String.self) == "2.0.0")
        try await host.manager.uninstall(.shop)
        await #expect(throws: AtriumError.self) { try await router.object(for: "app://code/1", as: String.self) }
        #expect(await host.manager.running.activations[.shop] == nil)
        #expect(host.states(of: "com.example.app.shop@2.0.0").suffix(3) == ["draining", "retired", "removed"])
    }

    @Test(
        "A bundle that fails to start, or waits for itself meanwhile, leaves no routes behind and can be started again",
        arguments: [
            ("refuse", "error(code: inputOutput, subject: refuse)"),
            ("wait", "startCycle(path: [com.example.app.shop, com.example.app.shop])"),
        ])
    func refused(way: String, detail: String) async throws {
        try await host.manager.install(.shop)
        let mark = host.sandbox.container(of: .shop).appending("Documents/\(way)")
        try mark.write("")
        let error = try await host.refusal(.bundleRefused) { try await act() }
        #expect(error.reason?.description.contains(detail) == true, "\(error)")
        await #expect(throws: AtriumError.self) { try await router.object(for: "app://code/1", as: String.self) }
        #expect(host.states(of: "com.example.app.shop@2.0.0").suffix(2) == ["loaded", "retired"])
        try mark.remove()
        #expect(try await act() == "2.0.0")
    }

    @Test("A bundle that doesn't finish starting fails at the deadline and can be started again")
    func hangs() async throws {
        try await host.manager.install(.shop)
        let hang = host.sandbox.container(of: .shop).appending("Documents/hang")
        try hang.write("")
        async let passed: Void = clock.passNextDeadline()
        let error = try await host.refusal(.startTimedOut) { try await act() }
        await passed
        #expect(error.subject == "com.example.app.shop@2.0.0")
        #expect(error.reason?.description == "deadline(limit: seconds(seconds: 30), owner: its init)")
        // Routes that it had registered are removed.
        await #expect(throws: AtriumError.self) { try await router.object(for: "app://code/1", as: String.self) }
        try hang.remove()
        _ = try await host.manager.principal(of: .shop)
    }

    @Test("A bundle is installed when an address or a call needs it, unless that is off", arguments: [true, false])
    func onDemand(isCall: Bool) async throws {
        let plain = host.another(installsOnDemand: false)
        try await plain.refusal(.targetUnknown) { try await plain.mediator.perform("act", on: "Shop") }
        try await plain.refusal(.routeUnknown) { try await plain.router.open("app://shop") }
        #expect(!host.sandbox.root.exists)
        #expect(try await host.provider(of: "app://shop").bundle == TestHost.shop.text)
        #expect(try await host.provider(of: "app://shop", as: .object).bundle == nil)
        #expect(try await host.provider(of: "app://elsewhere").bundle == nil)
        let answer = isCall ? try await act() : try await router.open("app://shop").value
        #expect(answer == "2.0.0")
        #expect(try host.versions() == ["2.0.0", nil])
    }

    @Test("Concurrent requests for a missing bundle install it once and are all answered", arguments: 0..<5)
    func onDemandTogether(round: Int) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { _ = try await act() }
                group.addTask { _ = try await router.open("app://shop") }
            }
            try await group.waitForAll()
        }
        #expect(try host.registry.history.all().count == 1)
        #expect(host.log == ["2.0.0 loads"])
        #expect(host.states(of: "com.example.app.shop@2.0.0").suffix(3) == ["installed", "loaded", "active"])
    }

    @Test("A version that is loaded as soon as its commit is visible was reported as installed before")
    func reportedInOrder() async throws {
        try await host.install(version: "1.0.0")
        let (states, second) = (Lines(), Collected<TestHost>())
        let other = TestHost(host.root) {
            $0.observer = { event in
                states.add("\(event.identity.version) " + "\(event.state)".prefix { $0 != "(" })
                guard case .retired = event.state else { return }
                Task { try await second.all.first?.manager.principal(of: .shop) }
                Clock.pause(.milliseconds(300))
            }
        }
        second.add(other)
        try await other.manager.update(.shop)
        _ = try await other.manager.principal(of: .shop)
        let new = states.all.filter { $0.hasPrefix("2.0.0") }
        #expect(new.suffix(3) == ["2.0.0 installed", "2.0.0 loaded", "2.0.0 active"])
    }

    @Test("A bundle installed on demand is removed with its data if it cannot be loaded")
    func takenAway() async throws {
        try host.offer(SamplePackage(identifier: "com.example.broken", targets: ["Broken"]))
        try await host.manager.install(.shop)
        let before = try host.tree.paths
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let error = try await #require(throws: AtriumError.self) {
                        try await host.mediator.perform("act", on: "Broken")
                    }
                    // The second code is for calls that arrive during the removal.
                    #expect([.libraryIncompatible, .bundleNotInstalled].contains(error.code), "\(error)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try host.registry.active.identifiers() == [TestHost.shop])
        #expect(try host.registry.history.all().count == 1)
        #expect(try host.tree.paths == before)
    }

    @Test("A bundle isn't removed for the failure of another one, or if it was installed by name")
    func kept() async throws {
        try host.offer(SamplePackage(identifier: "com.example.broken", targets: ["Broken"]))
        try await failingAsync(.libraryIncompatible) {
            try await host.mediator.perform("call", on: "Shop", ["target": "Broken"])
        }
        #expect(try host.registry.active.identifiers() == [TestHost.shop])
        try await host.manager.install("com.example.broken")
        await #expect(throws: AtriumError.self) { try await host.mediator.perform("act", on: "Broken") }
        #expect(try host.registry.active.identifiers() == [TestHost.shop, "com.example.broken"])
    }

    @Test(
        "A bundle installed on demand is removed only for its own failure to load",
        arguments: [
            (.libraryUnloadable, "com.example.app.shop@2.0.0", true),
            (.bundleRefused, "com.example.app.shop@2.0.0", true),
            (.libraryUnloadable, "com.example.broken@1.0.0", false),
            (.resourceUnknown, "com.example.app.shop@2.0.0", false),
        ] as [(AtriumError.Code, String, Bool)]
    )
    func ownFailure(code: AtriumError.Code, subject: String, goes: Bool) async throws {
        await #expect(throws: AtriumError.self) {
            try await host.onDemand.withOnDemandInstall(TestHost.shop.text) { throw AtriumError(code, subject) }
        }
        #expect(try host.registry.active.identifiers().isEmpty == goes)
    }

    @Test("An installed bundle is still found as the provider of its declarations and isn't updated on demand")
    func broughtMeanwhile() async throws {
        try await host.install(version: "1.0.0")
        #expect(try await host.onDemand.providingBundle(ofTarget: "Shop")?.owner == TestHost.shop.text)
        #expect(try await host.provider(of: "app://shop").bundle == TestHost.shop.text)
        try await host.onDemand.withOnDemandInstall(TestHost.shop.text) {}
        #expect(try host.versions() == ["1.0.0", nil])
    }

    @Test("Routes registered in code give way to manifests that declare the same address, whichever comes first")
    func codeRoutes() async throws {
        let market: BundleIdentifier = "com.example.market"
        try host.offer(
            SamplePackage(identifier: market, version: "1.0.0", routes: ["market"]),
            SamplePackage(identifier: market, version: "2.0.0", routes: ["market", "code/:number"]))
        func owner() async throws -> String? {
            let answer = try await host.router.explain(ResourceURI("app://code/7"), kinds: Set(RouteKind.allCases))
            return answer.winner?.route.owner
        }
        try await host.install(version: "1.0.0", of: market)
        try await host.install(version: "1.0.0")
        _ = try await host.manager.principal(of: .shop)
        #expect(try await owner() == TestHost.shop.text)
        try await host.manager.update(market)
        #expect(try await owner() == market.text)
        try await host.manager.rollBack(market)
        #expect(try await owner() == TestHost.shop.text)
        // The bundle's own update may declare a route that its code had registered.
        try host.offer(SamplePackage(version: "3.0.0", routes: ["code/:id"], library: await LoadTests.two.value))
        try await host.manager.update(.shop)
        #expect(try await owner() == TestHost.shop.text)
    }

    @Test("A bundle cannot declare a route of the host's code or a rule of the app for another bundle")
    func hostRoutes() async throws {
        let rule = try Route(RouteDeclaration(pattern: "rule/:x", kind: .page, name: "x"), owner: TestHost.shop.text)
        let host = TestHost(rules: [rule])
        let router = host.router
        try await router.register("mine", kind: .handler) { _ in .object(1) }
        let other: BundleIdentifier = "com.example.other"
        for (version, route) in [("1.0.0", "mine"), ("2.0.0", "rule/:y")] {
            try host.offer(SamplePackage(identifier: other, version: version, routes: [route]))
            let error = try await host.refusal(.routeConflict) { try await host.manager.install(other) }
            #expect(error.reason?.values["other"] == .text(version == "1.0.0" ? "host" : TestHost.shop.text))
        }
        try await host.install(SamplePackage(routes: ["rule/:y"]))
    }

    @Test("A loaded bundle observes its group until it is unloaded, and no undeclared group")
    func observed() async throws {
        let host = TestHost()
        try await host.install(
            SamplePackage(
                appGroups: ["group.com.example"],
                library: await library(
                    ofSwift: """
                        final class Sample: BundleDelegate {
                            init(context: BundleContext) throws {
                                let changes = try context.appGroup("group.com.example").changes()
                                Task {
                                    for await change in changes { context.logger.info("\\(change)") }
                                    context.logger.info("end")
                                }
                                do { _ = try context.appGroup("group.com.example.other") } catch { context.logger.info("\\(error)") }
                            }
                        }
                        """)))
        _ = try await host.manager.principal(of: .shop)
        #expect(host.log == ["groupUndeclared: group.com.example.other"])
        let group = AppGroupFolder(at: try host.sandbox.group("group.com.example")) { error in Issue.record(error) }
        try group.write([1], to: ["file"])
        while host.log.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        try await host.manager.uninstall(.shop)
        while host.log.last != "end" { try await Task.sleep(for: .milliseconds(5)) }
        try group.write([2], to: ["file"])
        var changes = try group.changes().makeAsyncIterator()
        try group.write([3], to: ["file"])
        #expect(await changes.next() == .file("file"))
        #expect(host.log.count == 3 && host.log[1].contains("file"))
    }

    /// Returns a manager with the runtime's own answer to each port.
    private func kernel() -> Host {
        Host(
            at: host.sandbox, source: .folder(host.catalog), verifying: DevelopmentOnlyVerification())
    }

    @Test("Bundles of a folder are installed, called, updated while they run, rolled back and removed without a layer")
    func mainJob() async throws {
        let manager = kernel()
        func answer() async throws -> String {
            try await manager.mediator.perform("act", on: "Shop", returning: String.self)
        }
        try await manager.install(.shop, version: host.version("1.0.0"))
        #expect(try await answer() == "1.0.0")
        try await manager.update(.shop)
        #expect(try await answer() == "2.0.0")
        try await manager.rollBack(.shop)
        #expect(try await answer() == "1.0.0")
        try await manager.uninstall(.shop)
        await #expect(throws: AtriumError.self) { try await answer() }
    }

    @Test("A plugin that demands a process of its own is not loaded in a host that starts none")
    func isolated() async throws {
        let manager = kernel()
        try await host.offer(
            SamplePackage(version: "3.0.0", targets: ["Shop"], isolation: "process", library: LoadTests.one.value))
        try await manager.install(.shop)
        try await failingAsync(.libraryIncompatible, because: "processNeeded") {
            try await manager.mediator.perform("act", on: "Shop", returning: String.self)
        }
    }
}
