import Doctor
import ExtensionHost
import PluginCatalog
import BundleStorage
import FoundationEssentials
import PageLayouts
import PluginCore
import PluginRouter
import Preflight
import Processes
import Resolver
import SQLite
import Testing
import Trust

@testable import Registry
@testable import PluginRuntime

/// A host in its own folder: a catalog to fill, a sandbox, a manager, and the events its observer received.
final class TestHost: Sendable {
    let root: FilePath
    let catalog: FilePath
    let sandbox: Sandbox
    let manager: Host
    let navigator = SilentNavigator()
    let onDemandSettings = OnDemandSettings()
    private let heard = Collected<LifecycleEvent>()
    private let messages = Lines()
    /// The host's own folder, which is last, because a manager that ends still writes records.
    private let temporary: TemporaryFolder?

    static let shop: BundleIdentifier = "com.example.app.shop"

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - place: an existing folder; `nil` for a folder of its own, which is removed with this object.
    ///   - remote: the catalog; `nil` for the folder of packages.
    ///   - isOnDemand: whether bundles are installed on demand.
    ///   - clock: the clock for deadlines, which expire only when a test says so.
    ///   - offer: changes the services of the host.
    ///   - monitor: returns the crash detection; `nil` for the standard one.
    init(
        _ place: FilePath? = nil, catalog remote: (any Catalog)? = nil, converters: RouteConverters = .standard,
        drainDeadline: Duration = .seconds(3600),
        installsOnDemand isOnDemand: Bool = true, rules: [Route] = [],
        clock: any _Concurrency.Clock<Duration> = TestClock(), offering offer: (inout HostServices) -> Void = { _ in },
        monitor: (@Sendable (Sandbox) -> CrashMonitor)? = nil
    ) {
        temporary = place == nil ? TemporaryFolder() : nil
        let root = place ?? temporary?.path ?? "/nonexistent"
        self.root = root
        catalog = root.appending("catalog")
        let sandbox = Sandbox(root: root.appending("sandbox"))
        self.sandbox = sandbox
        let (heard, messages) = (heard, messages)
        let trust = root.appending("trust.json")
        var services = HostServices(languages: ["en"], converters: converters) { _, _, message in
            messages.add("\(message)")
        }
        services.defaults = DefaultsFile.init(in:report:)
        services.appGroup = AppGroupFolder.init(at:report:)
        services.watchRegistry = { try FolderWatch(database: $0, onChange: $1) }
        services.observer = { heard.add($0) }
        services.admission = [ExtensionRules()]
        services.crashMonitor = monitor
        offer(&services)
        var routing: HostRouting =
            isOnDemand ? .installingOnDemand(navigator, onDemandSettings) : HostRouting(navigator)
        routing.drainDeadline = drainDeadline
        routing.layoutPage = { try LayoutPage($0, of: $1, parameters: $2, router: $3) }
        routing.rules = rules
        routing.clock = clock
        manager = Host(
            at: sandbox, source: remote ?? DirectoryCatalog(folder: catalog), choosing: .resolver,
            verifying: TeamVerification(shipped: trust, sandbox: sandbox),
            libraryCheck: LibraryPreflight(), services: services,
            routing: routing)
        do {
            try catalog.makeFolder()
            // A second process of the same test generates another key.
            if !trust.exists { try trust.write(TestTeam.trust()) }
        } catch {
            Issue.record(error)
        }
    }

    /// Returns another host of the same sandbox and catalog, as a second process would have.
    func another(
        catalog: (any Catalog)? = nil, converters: RouteConverters = .standard,
        installsOnDemand isOnDemand: Bool = true
    ) -> TestHost {
        // What this host still has to record is no change that the other one makes.
        manager.policy.records.write()
        return TestHost(root, catalog: catalog, converters: converters, installsOnDemand: isOnDemand)
    }

    /// Returns another manager of the sandbox, which ships packages beside those of a catalog.
    func shipping(_ packages: [SamplePackage], beside catalog: (any Catalog)? = nil) throws -> Host {
        let folder = root.appending("shipped")
        try folder.makeFolder()
        for package in packages { try package.write(to: folder) }
        let builtIn = DirectoryCatalog(folder: folder)
        let catalogs = LayeredCatalog([builtIn, catalog ?? DirectoryCatalog(folder: self.catalog)])
        return Self.manager(of: sandbox, catalog: catalogs, builtIn: builtIn, trust: root.appending("trust.json"))
    }

    /// Returns a manager with the standard services, whose events nobody observes.
    static func manager(
        of sandbox: Sandbox, catalog: any Catalog, builtIn: DirectoryCatalog? = nil, trust: FilePath?
    ) -> Host {
        Host(
            at: sandbox, source: catalog, builtIn: builtIn, choosing: .resolver,
            verifying: TeamVerification(shipped: trust, sandbox: sandbox), libraryCheck: LibraryPreflight())
    }

    var router: Router { manager.router }
    var mediator: Mediator { manager.mediator }
    var registry: Registry { manager.registry }
    var onDemand: OnDemandInstaller { OnDemandInstaller(manager.transactions.install, onDemandSettings) }
    var maintenance: SandboxMaintenance { manager.transactions.maintenance }
    var uninstall: UninstallTransaction { manager.transactions.uninstall }
    var quarantine: CrashQuarantine { manager.transactions.quarantine }
    var pins: PinTransaction { manager.transactions.pins }
    var rollback: RollbackTransaction { manager.transactions.rollback }
    var writer: SandboxWriter { manager.transactions.writer }
    var events: [LifecycleEvent] { heard.all }
    /// The messages that bundles logged.
    var log: [String] { messages.all }
    var tree: Tree { get throws { try Tree(sandbox.root) } }

    /// Returns the names of the states that one version went through, without repetitions in a row.
    func states(of identity: String) -> [String] {
        var states: [String] = []
        for event in events where event.identity.description == identity {
            let name = String("\(event.state)".prefix { $0 != "(" })
            if states.last != name { states.append(name) }
        }
        return states
    }

    /// Returns the number of libraries in the sandbox that this process has open.
    func openLibraries() throws -> Int {
        let files = FilePath("/proc/self/fd")
        return try files.names.count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: files.appending(name).string)
            return target.map { $0.hasPrefix(sandbox.plugins.string) && $0.contains(".so") } ?? false
        }
    }

    /// Returns the bundle that would be installed on demand for an address, and the error if it cannot be installed.
    func provider(
        of address: String, as kind: RouteKind = .page
    ) async throws -> (bundle: String?, refusal: AtriumError.Code?) {
        let query = RouteQuery(try ResourceURI(address), as: [kind], for: .host)
        return try await (onDemand.providingBundle(ofRoute: query), onDemand.refusal(ofRoute: query)?.code)
    }

    /// Adds packages to the catalog.
    @discardableResult
    func offer(_ packages: SamplePackage...) throws -> [FilePath] {
        try packages.map { try $0.write(to: catalog) }
    }

    /// Adds packages to the catalog, installs their versions one after another, and returns the last one.
    @discardableResult
    func install(_ packages: SamplePackage...) async throws -> PluginBundle {
        for package in packages { try offer(package) }
        var installed: PluginBundle?
        for package in packages {
            installed = try await install(version: package.version, of: package.identifier).bundle
        }
        return try #require(installed)
    }

    /// Installs a version of the shop, and offers another one.
    @discardableResult
    func install(first version: String, offering other: String) async throws -> PluginBundle {
        try offer(SamplePackage(version: other))
        return try await install(SamplePackage(version: version))
    }

    /// Installs a version that the catalog offers.
    @discardableResult
    func install(version: String, of identifier: BundleIdentifier = shop) async throws -> InstallReport {
        try await manager.install(identifier, version: self.version(version))
    }

    @discardableResult
    func collectGarbage() async throws -> CollectionReport {
        try await manager.transactions.maintenance.collectGarbage()
    }

    func version(_ text: String) throws -> SemanticVersion { try #require(SemanticVersion(text)) }

    /// Returns the active version and the rollback target, as text.
    func versions(_ identifier: BundleIdentifier = shop) throws -> [String?] {
        let installed = try registry.active.bundle(identifier)
        return [installed?.active.identity.version.description, installed?.previous?.identity.version.description]
    }

    /// The events of the history, in their order.
    var history: [HistoryEntry.Event] { get throws { try registry.history.all().map(\.event) } }

    /// The versions that wait for the next start.
    var staged: [String] { get throws { try registry.staged.all().map(\.identity.version.description) } }

    /// The active versions.
    var active: [String] { get throws { try registry.active.all().map(\.active.identity.description) } }

    /// Returns the active version of a bundle.
    func bundle(_ identifier: BundleIdentifier = shop) throws -> PluginBundle {
        try #require(try registry.active.version(of: identifier))
    }

    /// Records a successful run of the active version.
    func recordRun() throws { try registry.recordSuccessfulRun(bundle()) }

    /// Does what the next start of a host does at first.
    @discardableResult
    func restart() async throws -> [InstallReport] { try await another().manager.prepareForLaunch() }

    /// Returns the findings of a checkup, also those about what is fine.
    func findings() -> [CheckupFinding] { Checkup(of: manager).findings() }

    @discardableResult
    func rebuild() async throws -> RebuildReport { try await RegistryRebuild(of: manager).run() }

    /// Returns the names of a bundle's version folders, without their digests.
    func folders(_ identifier: BundleIdentifier = shop) throws -> [String] {
        try sandbox.plugins.appending(identifier.text).names.map { String($0.prefix { $0 != "-" }) }
    }

    /// Backdates every installed version.
    func age() throws {
        try database().execute("UPDATE bundle SET json = json_set(json, '$.installedAt', 1)")
    }

    /// Opens the registry's database, for changes that no host makes.
    func database() throws -> Database {
        var options = DatabaseOptions()
        options.journal = .unchanged
        return try Database(path: sandbox.registry.string, options: options)
    }

    /// Runs a body that must throw and leave the sandbox unchanged, and returns the error, like ``failingAsync``.
    @discardableResult
    func refusal<R>(
        _ code: AtriumError.Code, because reason: String? = nil, of subject: String? = nil,
        at location: SourceLocation = #_sourceLocation, _ body: () async throws -> R
    ) async throws -> AtriumError {
        // Load records of earlier tests are written in the background.
        manager.policy.records.write()
        let before = try tree
        let error = try await failingAsync(code, because: reason, of: subject, at: location, body)
        #expect(try tree.changes(since: before) == [], sourceLocation: location)
        return error
    }
}

/// A navigator that shows nothing and records its pages and notices.
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

extension BundleIdentifier {
    /// The bundle of most tests.
    static let shop = TestHost.shop
}

extension Sandbox {
    /// Returns the container of a plugin whose data version is 0.
    func container(of identifier: BundleIdentifier) -> FilePath { dataFolder(of: identifier).appending("0") }
}
