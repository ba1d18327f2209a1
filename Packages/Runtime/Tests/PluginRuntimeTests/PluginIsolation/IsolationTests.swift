import SQLite
import Registry
import Glibc
import CrashReports
import PluginCore
import PluginExtension
import PluginRouter
import Preflight
import Synchronization
import Testing

@testable import PluginRuntime
import Processes

@Suite("Plugins in processes of their own", .tags(.large), .timeLimit(.minutes(5)))
struct IsolationTests {
    private static let own = Int(getpid())

    private func isRunning(_ process: Int) -> Bool { FilePath("/proc/\(process)").exists }

    private func waitForEnd(of process: Int) async throws {
        for _ in 0..<2000 where isRunning(process) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(!isRunning(process))
    }

    @Test(
        "A plugin runs where its manifest asks for, unless the host decides otherwise",
        arguments: [
            ("process", nil, true), (nil, nil, false), ("host", nil, false), (nil, BundleIsolation.process, true),
            ("process", .host, false),
        ] as [(String?, BundleIsolation?, Bool)])
    func choice(manifest: String?, host decision: BundleIsolation?, isOutside: Bool) async throws {
        let policy = decision.map { decision in { @Sendable (_: PluginBundle) in decision } }
        try await IsolatedSample.withPlugin(isolation: manifest, choosing: policy) { host in
            let process = try await host.process
            #expect((process != Self.own) == isOutside)
            await host.manager.deactivateAll()
            if isOutside { #expect(!isRunning(process)) }
        }
    }

    @Test("Routes, actions, services, events and registrations work as in the host's process, also with large values")
    func contract() async throws {
        try await IsolatedSample.withPlugin { host in
            let process = try await host.process
            #expect(try await host.mediator.perform("add", on: "Sample", ["value": 41], returning: Int.self) == 42)
            let services = host.manager.loader.communication.services.leased(to: Lease(owner: "test"))
            let double = try await services.service(
                "Doubling", as: (@concurrent @Sendable (Int) async throws -> Int).self)
            #expect(try await double(21) == 42)
            await host.manager.events.post("Sample.event", "news")
            #expect(try await host.mediator.perform("events", on: "Sample", returning: [String].self) == ["news"])
            #expect(try await host.router.object(for: "app://sample/code/x", as: String.self) == "code x of host")
            #expect(try await host.router.object(for: "app://sample/address/y", as: String.self) == "app://shop/y")
            try await failingAsync(.actionUnknown) { try await host.mediator.perform("no", on: "Sample") }
            // A parameter and a result of some megabytes pass in files, which leave nothing behind.
            let text = String(repeating: "some text ", count: 300_000)
            let same = try await host.mediator.perform("same", on: "Sample", ["value": text], returning: String.self)
            #expect(same == text)
            #expect(try host.sandbox.container(of: .shop).appending("tmp").names.isEmpty)
            // No manifest could have this deadline.
            try await failingAsync(.parameterType, because: "deadlineInvalid") { try await host.perform("deadline") }
            #expect(try await host.process == process)
        }
    }

    @Test(
        "A plugin that crashes, refuses or needs itself in its start is an error, and leaves no process",
        arguments: [
            ("crash", "pluginCrashed", nil), ("refuse", "bundleRefused", nil), ("own", "bundleRefused", "routeCycle"),
        ] as [(String, String, String?)])
    func start(way: String, code: String, reason: String?) async throws {
        try await IsolatedSample.withPlugin { host in
            try start(way, of: host)
            let error = await #expect(throws: AtriumError.self) { try await host.process }
            #expect(error?.code.name == code)
            let reasons = error.map { "\($0.reasons)" } ?? ""
            #expect(reason.map { reasons.contains($0) } != false, "\(reasons)")
            try FilePath(documents(of: host).appending("start").string).write("")
            #expect(try await host.process != Self.own)
        }
    }

    @Test(
        "A plugin that crashes, exits or uses too much memory takes only its own process down, and the next request starts it again",
        arguments: ["crash", "exit", "memory"])
    func crash(way: String) async throws {
        try await IsolatedSample.withPlugin(limits: ExtensionLimits(start: 60, memory: 128 << 20)) { host in
            let first = try await host.process
            try await failingAsync(.pluginCrashed) { try await host.perform(way) }
            try await waitForEnd(of: first)
            let second = try await host.process
            #expect(second != first && second != Self.own)
            #expect(host.states(of: "com.example.app.shop@1.0.0").suffix(3) == ["retired", "loaded", "active"])
        }
    }

    @Test("An open page of a crashed plugin says so, and its action starts the plugin again in place of it")
    @MainActor
    func page() async throws {
        try await IsolatedSample.withPlugin { host in
            let page = try await host.router.page(for: "app://sample/page")
            #expect(page.content == [.text("alive")])
            await #expect(throws: AtriumError.self) { try await page.perform("crash", input: [:], on: host.navigator) }
            #expect(page.title == "Sample" && page.content == [.text("Sample ended: pluginCrashed")])
            #expect(page.actions.map(\.description) == [.init("restart", title: "Again")])
            try await page.perform("restart", input: [:], on: host.navigator)
            #expect(page.content == [.text("alive")] && page.actions.map(\.identifier) == ["crash", "hang"])
            await #expect(throws: AtriumError.self) { try await page.perform("crash", input: [:], on: host.navigator) }
            #expect(page.actions.map(\.identifier) == ["restart"])
        }
    }

    @Test("A plugin that blocks its main thread is ended like one that crashes, and a call that takes long is not")
    @MainActor
    func hang() async throws {
        try await IsolatedSample.withPlugin(limits: ExtensionLimits(start: 60, request: 4)) { host in
            #expect(try await host.perform("wait") == "wait")
            let page = try await host.router.page(for: "app://sample/page")
            try await failingAsync(.pluginCrashed, because: "responseTimedOut") {
                try await page.perform("hang", input: [:], on: host.navigator)
            }
            #expect(page.content == [.text("Sample ended: pluginCrashed")])
            try await page.perform("restart", input: [:], on: host.navigator)
            #expect(page.content == [.text("alive")])
            let reports = try CrashReportFolder(host.sandbox).all()
            let report = try #require(reports.first)
            #expect(reports.count == 1 && report.deadline == ProcessDeadline(.response, seconds: 4))
            let symbols = try host.symbols(of: report)
            let functions = report.calls.compactMap { symbols.function(of: $0)?.name }
            #expect(functions.contains { $0.contains("Sample.perform") }, "\(functions)")
        }
    }

    @Test("A plugin whose process is killed from outside is not blamed for it")
    func killed() async throws {
        try await IsolatedSample.withPlugin { host in
            for _ in 0..<4 {
                let process = try await host.process
                let call = Task { try await host.perform("hang") }
                let mark = documents(of: host).appending("hanging")
                while !mark.exists { try await Task.sleep(for: .milliseconds(5)) }
                try mark.remove()
                kill(Int32(process), SIGKILL)
                try await failingAsync(.pluginEnded) { try await call.value }
            }
            #expect(try host.versions() == ["1.0.0", nil])
        }
    }

    @Test("What a plugin has printed before its process crashes reaches the host, with the plugin's name")
    func output() async throws {
        let output = Lines()
        try await IsolatedSample.withPlugin(output: output) { host in
            await #expect(throws: AtriumError.self) { try await host.perform("print-crash") }
            #expect(output.all.contains("\(TestHost.shop): before the crash"))
        }
    }

    @Test("A link that a plugin opens from its process is known to come from there")
    func link() async throws {
        try await IsolatedSample.withPlugin { host in
            let passed = Mutex<[OutboundLink]>([])
            try host.router.fallback(.scheme("https"), to: .outside { link in passed.withLock { $0.append(link) } })
            try await host.perform("link")
            #expect(passed.withLock { $0 }.map(\.uri.text) == ["https://example.com/?secret=1"])
            #expect(passed.withLock { $0 }.allSatisfy { $0.isFromConfined && $0.origin == .plugin(TestHost.shop.text) })
        }
    }

    @Test("Routes that a plugin registers from its process come after the manifests of other teams")
    func takeover() async throws {
        try await IsolatedSample.withPlugin { host in
            try await host.perform("take")
            #expect(try await host.router.object(for: "app://orders/1/2", as: String.self) == "taken by orders/:x/:y")
            let database = try host.database()
            try database.execute(
                """
                INSERT INTO route (number, owner, json) VALUES (1000, 'org.other.orders',
                    '{"pattern": "orders/:x/:y", "kind": "object", "name": "nothing", "guards": [], "priority": 0, "exposure": "plugins", "mayDecline": false}')
                """)
            try database.execute(
                "INSERT INTO route_expansion (canonical_key, first_segment, route) VALUES ('orders/:/:', 'orders', 1000)"
            )
            let error = await #expect(throws: AtriumError.self) {
                try await host.router.object(for: "app://orders/1/2", as: String.self)
            }
            // It goes to the bundle of the manifest, which the test has not installed.
            #expect(error?.subject.contains("org.other.orders") == true, "\(String(describing: error))")
        }
    }

    @Test("After three crashes in five minutes, the version is quarantined, and the one before it is active")
    func quarantine() async throws {
        try await IsolatedSample.withPlugin(["1.0.0", "1.1.0"]) { host in
            try host.database().execute("UPDATE bundle SET json = json_set(json, '$.hasRunSince', 1)")
            for _ in 0..<3 { try await failingAsync(.pluginCrashed) { try await host.perform("crash") } }
            for _ in 0..<2000 where try host.versions()[0] != "1.0.0" { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try host.versions()[0] == "1.0.0")
            #expect(try await host.process != Self.own)
        }
    }

    @Test("After an update, the old version's process runs until its last page is gone, and then it ends")
    @MainActor
    func update() async throws {
        try await IsolatedSample.withPlugin { host in
            let first = try await host.process
            var page: (any Page)? = try await host.router.page(for: "app://sample/page")
            host.navigator.push(try #require(page))
            try host.offer(try await IsolatedSample.package("1.1.0"))
            try await host.manager.update(.shop)
            let second = try await host.process
            #expect(second != first && isRunning(first))
            #expect(page?.content == [.text("alive")])
            host.navigator.pop()
            page = nil
            try await waitForEnd(of: first)
            #expect(isRunning(second))
            try await host.manager.uninstall(.shop)
            #expect(!isRunning(second))
        }
    }

    private func documents(of host: TestHost) -> FilePath {
        host.sandbox.container(of: .shop).appending("Documents")
    }

    private func start(_ way: String, of host: TestHost) throws {
        try documents(of: host).appending("start").write(way)
    }
}
