import FoundationEssentials
import PluginCore
import PluginRouter
import SQLite
import Synchronization
import Testing

@testable import PluginRuntime

/// A host in a folder of its own: a catalog to fill, a sandbox, a manager, and all that its observer heard.
final class TestHost: Sendable {
    let root: FilePath
    let catalog: FilePath
    let sandbox: Sandbox
    let manager: BundleManager
    private let heard = Log()

    static let shop = "com.example.app.shop"

    init(
        _ root: FilePath, converters: RouteConverters = .standard, drainDeadline: Duration = .seconds(3600),
        offering offer: (inout HostServices) -> Void = { _ in }
    ) throws {
        self.root = root
        catalog = root.appending("catalog")
        sandbox = Sandbox(root: root.appending("sandbox"))
        let heard = heard
        let trust = root.appending("trust.json")
        var services = HostServices(languages: ["en"], converters: converters) { _, _, message in heard.say(message) }
        offer(&services)
        manager = BundleManager(
            sandbox: sandbox, catalog: DirectoryCatalog(folder: catalog), trust: trust,
            services: services, drainDeadline: drainDeadline,
            observer: { heard.add($0) }
        )
        try catalog.makeFolder()
        // Another process of the same test has another key.
        if !trust.exists { try trust.write(TestTeam.trust()) }
    }

    /// Connects the manager with a router and a mediator whose deadlines pass only when a test says so.
    @discardableResult
    func connect(
        _ navigator: any Navigator = SilentNavigator(), supply: (any BundleSupply)?, rules: [Route] = [],
        limits: RouterLimits = .standard, clock: any _Concurrency.Clock<Duration> = TestClock()
    ) async -> (router: Router, mediator: Mediator) {
        await manager.connect(navigator, supply: supply, rules: rules, limits: limits, clock: clock)
    }

    /// Another host of the same sandbox and catalog, as another process would be.
    func another(converters: RouteConverters = .standard) throws -> TestHost {
        try TestHost(root, converters: converters)
    }

    var registry: Registry { manager.registry }
    var events: [LifecycleEvent] { heard.events.withLock { $0 } }
    /// What bundles logged.
    var log: [String] { heard.messages.withLock { $0 } }
    var tree: Tree { get throws { try Tree(sandbox.root) } }

    /// The states that one version went through, without what they say beside; each once in a row.
    func states(of identity: String) -> [String] {
        var states: [String] = []
        for event in events where event.identity.description == identity {
            let name = String("\(event.state)".prefix { $0 != "(" })
            if states.last != name { states.append(name) }
        }
        return states
    }

    /// How many files this process has open below the sandbox's versions.
    func openLibraries() throws -> Int {
        let files = FilePath("/proc/self/fd")
        return try files.names.count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: files.appending(name).string)
            return target.map { $0.hasPrefix(sandbox.plugins.string) && $0.contains(".so") } ?? false
        }
    }

    /// Puts packages into the catalog.
    @discardableResult
    func offer(_ packages: SamplePackage...) throws -> [FilePath] {
        try packages.map { try $0.write(to: catalog) }
    }

    func version(_ text: String) throws -> SemanticVersion { try #require(SemanticVersion(text)) }

    /// The active version and the one to go back to, as text.
    func versions(_ identifier: String = shop) throws -> [String?] {
        let installed = try registry.installed(identifier)
        return [installed?.active.identity.version.description, installed?.previous?.identity.version.description]
    }

    /// The version folders of a bundle, without their digests.
    func folders(_ identifier: String = shop) throws -> [String] {
        try sandbox.plugins.appending(identifier).names.map { String($0.prefix { $0 != "-" }) }
    }

    /// Makes all that is installed look as if it had been installed long ago.
    func age() throws {
        try database().execute("UPDATE bundle SET installed_at = 1")
    }

    /// The registry's database, for what no host does to it.
    func database() throws -> Database {
        var options = DatabaseOptions()
        options.journal = .unchanged
        return try Database(path: sandbox.registry.string, options: options)
    }

    /// Runs the body, which must be refused and leave the sandbox exactly as it was; returns the refusal.
    @discardableResult
    func refusal<R>(
        _ code: AtriumError.Code, at location: SourceLocation = #_sourceLocation, _ body: () async throws -> R
    ) async throws -> AtriumError {
        // Earlier uses of a bundle are written down in the background.
        await manager.records.write()
        let before = try tree
        let error = try await #require(throws: AtriumError.self, sourceLocation: location) { _ = try await body() }
        #expect(error.code == code, "\(error)", sourceLocation: location)
        #expect(try tree.changes(since: before) == [], sourceLocation: location)
        return error
    }

    private final class Log: Sendable {
        let events = Mutex<[LifecycleEvent]>([])
        let messages = Mutex<[String]>([])
        func say(_ message: String) { messages.withLock { $0.append(message) } }
        func add(_ event: LifecycleEvent) { events.withLock { $0.append(event) } }
    }
}

func withHost<Result>(_ body: (TestHost) async throws -> Result) async throws -> Result {
    try await withFolder { try await body(TestHost($0)) }
}

/// A stack of pages that shows nothing, and keeps what it is told.
@MainActor
final class SilentNavigator: Navigator {
    private(set) var pages: [any Page] = []
    private(set) var notices: [String] = []
    nonisolated init() {}
    func push(_ page: any Page) { pages.append(page) }
    func pop() { pages.removeLast() }
    func present(_ page: any Page) async -> (any Sendable)? { nil }
    func dismiss(returning value: (any Sendable)?) {}
    func show(notice: String) { notices.append(notice) }
}
