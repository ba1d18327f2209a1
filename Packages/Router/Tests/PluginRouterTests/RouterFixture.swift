import PageLayouts
import PluginCore
import PluginRouter
import Synchronization
import Testing

/// A host of bundles in memory.
///
/// Its time stands still unless a test provides a clock, so deadlines do not depend on the load of the machine.
final class RouterFixture: Sendable {
    let shelf: Shelf
    let stack = Stack()
    let registrationStore = RegistrationStore()
    let mediator: Mediator
    let router: Router
    let services: ServiceExchange
    let events: EventExchange
    /// The errors of observers.
    let log = Notes()

    init(
        installed: [FakeBundle], offered: [FakeBundle] = [], limits: RouterLimits = .standard,
        converters: RouteConverters = .standard, clock: any Clock<Duration> = ManualClock(),
        hostTargets: [ActionTarget] = [], notFound: Mediator.NotFound? = nil
    ) {
        let shelf = Shelf(installed: installed, offered: offered)
        self.shelf = shelf
        let ports = RouterPorts(
            bundles: shelf, onDemandProvider: shelf, registrationStore: registrationStore,
            layoutPage: { try LayoutPage($0, of: $1, parameters: $2, router: $3) }, limits: limits, clock: clock)
        mediator = Mediator(ports, hostTargets: hostTargets, notFound: notFound)
        router = Router(ports, directory: shelf, mediator: mediator, navigator: stack, converters: converters)
        services = ServiceExchange(ports)
        events = EventExchange(ports) { [log] in log.add("\($0): \($1)") }
        let (mediator, services, events) = (mediator, services, events)
        shelf.makeContexts {
            SampleContext(
                lease: $0, mediator: mediator.leased(to: $0), services: services.leased(to: $0),
                events: events.leased(to: $0))
        }
    }

    convenience init(
        _ installed: FakeBundle..., offered: [FakeBundle] = [], clock: any Clock<Duration> = ManualClock(),
        hostTargets: [ActionTarget] = [], notFound: Mediator.NotFound? = nil
    ) {
        self.init(installed: installed, offered: offered, clock: clock, hostTargets: hostTargets, notFound: notFound)
    }

    /// Replaces a bundle by another version, or removes it.
    func replace(_ identifier: String, by successor: FakeBundle? = nil) {
        if let lease = shelf.replace(identifier, by: successor) { registrationStore.revoke(lease) }
    }

    /// Returns the lease of a loaded bundle.
    func lease(_ identifier: String) async throws -> Lease { try await shelf.loaded(identifier).lease }

    func routing(as owner: String = "test") -> any Routing {
        router.leased(to: .forTests(owner))
    }
}

extension BundleIdentity {
    /// The identity of version 1.0.0 of a bundle.
    init(forTests identifier: BundleIdentifier) {
        self.init(identifier: identifier, version: SemanticVersion(major: 1, minor: 0, patch: 0))
    }
}

extension Lease {
    /// Creates the lease of a bundle, or of code of the host if the name is no identifier.
    static func forTests(_ owner: String, watching watch: FirstCall.Watch? = nil) -> Lease {
        guard let identifier = BundleIdentifier(owner) else { return Lease(owner: owner, watching: watch) }
        return Lease(of: BundleIdentity(forTests: identifier), watching: watch)
    }
}

extension BundleContext {
    /// Creates the context of a bundle without resources or storage.
    @MainActor
    static func forTests(_ identifier: BundleIdentifier, in fixture: RouterFixture) -> BundleContext {
        let lease = Lease(owner: identifier.text)
        return BundleContext(
            identity: BundleIdentity(forTests: identifier),
            resources: BundleResources(root: "/nonexistent"), container: BundleContainer(root: "/nonexistent"),
            defaults: NoDefaults(), widgets: WidgetController { _, _ in }, logger: BundleLogger { _, _ in },
            mediator: fixture.mediator.leased(to: lease), router: fixture.router.leased(to: lease),
            services: fixture.services.leased(to: lease), events: fixture.events.leased(to: lease))
    }
}

extension RouteDeclaration {
    /// Declares a route whose name is its pattern unless another one is given.
    static func route(
        _ pattern: String, _ kind: RouteKind, _ name: String? = nil, layout: String? = nil, guards: [String] = [],
        priority: Int = 0, exposure: Exposure = .plugins, deadline: Double? = nil, mayDecline: Bool = false
    ) -> RouteDeclaration {
        RouteDeclaration(
            pattern: pattern, kind: kind, name: name ?? pattern, layout: layout, guards: guards, priority: priority,
            exposure: exposure, deadline: deadline, mayDecline: mayDecline)
    }
}

/// A bundle whose routes return an object or a page that describes the request.
struct FakeBundle: Sendable {
    let identifier: String
    var routes: [RouteDeclaration] = []
    var targets: [String] = []
    /// The actions of its targets that callers from outside of the app may call.
    var exposedActions: [String] = []
    /// The known reason why the bundle cannot be installed.
    var refusal: AtriumError?
    /// The handler of the principal object, or nil for the default one.
    var serve: RouteHandler?
    var accepts: @Sendable (ResourceRequest) async -> Bool = { _ in true }
    /// Additional actions of its targets.
    var actions: [Action] = []
    var team: String?
    /// Targets with declared actions.
    var declared: [TargetDeclaration] = []
    var services: [String] = []
    /// A closure that returns a target by name, or nil for targets with the actions of the fixture.
    var target: (@Sendable (String) -> ActionTarget?)?
    var onLoad: @Sendable (SampleContext) async throws -> Void = { _ in }

    /// Returns a bundle with a target `Account` that has one more action, which can be a guard.
    static func account(_ action: String, _ body: @escaping Action.Body) -> FakeBundle {
        FakeBundle(identifier: "account", targets: ["Account"], actions: [Action(action, body)])
    }
}

/// The context of a bundle in these tests.
struct SampleContext: Sendable {
    let lease: Lease
    let mediator: any Mediating
    let services: any ServiceRegistry
    let events: any EventBus
}

extension RouteOutcome {
    /// The value of a handler, or nil if a page is shown.
    var value: (any Sendable)? {
        if case .handled(let value) = self { value } else { nil }
    }
}

/// The bundles of a fixture: those that are installed, those that can be installed, and those that were loaded.
final class Shelf: RouteDirectory, InstalledBundles, OnDemandProvider {
    private struct State {
        var installed: [FakeBundle]
        var running: [String: LoadedBundle] = [:]
        var loaded: [String] = []
        var loads: [String] = []
        var onLoad: @Sendable () -> Void = {}
        var watch: FirstCall.Watch?
        var context: @Sendable (Lease) -> SampleContext? = { _ in nil }
    }

    private let offered: [FakeBundle]
    private let state: Mutex<State>

    init(installed: [FakeBundle], offered: [FakeBundle]) {
        self.offered = offered
        self.state = Mutex(State(installed: installed))
    }

    /// The bundles that were asked for, whether they were running or not.
    var loaded: [String] { state.withLock { $0.loaded } }
    /// The bundles that were started.
    var loads: [String] { state.withLock { $0.loads } }
    var installed: [String] { bundles.map(\.identifier) }
    private var bundles: [FakeBundle] { state.withLock { $0.installed } }

    func makeContexts(_ context: @escaping @Sendable (Lease) -> SampleContext) {
        state.withLock { $0.context = context }
    }

    /// Replaces a bundle, or removes it, and returns the lease that it had.
    @discardableResult
    func replace(_ identifier: String, by successor: FakeBundle?) -> Lease? {
        state.withLock { state in
            state.installed.removeAll { $0.identifier == identifier }
            if let successor { state.installed.append(successor) }
            return state.running.removeValue(forKey: identifier)?.lease
        }
    }

    /// Replaces the bundle with the same identifier.
    func update(to bundle: FakeBundle) { replace(bundle.identifier, by: bundle) }
    func uninstall(_ identifier: String) { replace(identifier, by: nil) }

    /// Sets a closure that is called whenever a bundle is loaded.
    func onLoad(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onLoad = body }
    }

    /// Sets an observer of the first calls of all bundles.
    func watch(_ watch: @escaping FirstCall.Watch) {
        state.withLock { $0.watch = watch }
    }

    func routes(withFirstSegments firstSegments: [String]) async throws -> [Route] {
        try bundles.flatMap { bundle in
            try bundle.routes.map { try Route($0, owner: bundle.identifier) }
        }.filter { !Set(firstSegments).isDisjoint(with: $0.pattern.firstSegments) }
    }

    func isSameTeam(_ owner: String, _ other: String) async throws -> Bool {
        let installed = bundles
        let teams = [owner, other].map { owner in installed.first { $0.identifier == owner }?.team }
        return teams[0] != nil && teams[0] == teams[1]
    }

    func patterns() async throws -> [String] {
        (bundles + offered).flatMap { $0.routes.map(\.pattern) }
    }

    func target(named name: String) async throws -> TargetListing? {
        Self.listing(of: name, in: bundles)
    }

    private static func listing(of name: String, in bundles: [FakeBundle]) -> TargetListing? {
        for bundle in bundles {
            let actions = bundle.exposedActions.map { ActionDeclaration(name: $0, exposure: .external) }
            let declared = bundle.declared + bundle.targets.map { TargetDeclaration(name: $0, actions: actions) }
            guard let target = declared.first(where: { $0.name == name }) else { continue }
            return TargetListing(target, owner: bundle.identifier)
        }
        return nil
    }

    func targetNames() async throws -> [String] { bundles.flatMap { $0.declared.map(\.name) + $0.targets } }

    func owner(ofService name: String) async throws -> String? {
        bundles.first { $0.services.contains(name) }?.identifier
    }

    func serviceNames() async throws -> [String] { bundles.flatMap(\.services) }

    func loaded(_ identifier: String) async throws -> LoadedBundle {
        let now = state.withLock { state in
            state.loaded.append(identifier)
            return state
        }
        now.onLoad()
        guard let bundle = bundles.first(where: { $0.identifier == identifier }) else {
            throw AtriumError(.bundleNotInstalled, identifier)
        }
        if let running = now.running[identifier] { return running }
        let lease = Lease.forTests(identifier, watching: now.watch)
        let loaded = LoadedBundle(principal: Principal(bundle), lease: lease)
        if let context = now.context(lease) { try await bundle.onLoad(context) }
        return state.withLock { state in
            state.loads.append(identifier)
            state.running[identifier] = loaded
            return loaded
        }
    }

    func resources(of identifier: String) async throws -> BundleResources {
        BundleResources(root: FilePath(#filePath.replacing("RouterFixture.swift", with: "Fixtures/Resources")))
    }

    func providingBundle(ofRoute query: RouteQuery) async throws -> String? {
        try serving(query).first { $0.refusal == nil }?.identifier
    }

    func refusal(ofRoute query: RouteQuery) async throws -> AtriumError? {
        try serving(query).compactMap(\.refusal).first
    }

    private func serving(_ query: RouteQuery) throws -> [FakeBundle] {
        try offered.filter { bundle in
            try bundle.routes.contains { query.isServed(by: try Route($0, owner: bundle.identifier)) }
        }
    }

    func providingBundle(ofTarget name: String) async throws -> TargetListing? {
        Self.listing(of: name, in: offered)
    }

    func providingBundle(ofService name: String) async throws -> String? {
        offered.first { $0.services.contains(name) }?.identifier
    }

    func withOnDemandInstall<R: Sendable>(
        _ identifier: String, _ use: @Sendable () async throws -> R
    ) async throws -> R {
        let bundle = try #require(offered.first { $0.identifier == identifier })
        state.withLock { $0.installed.append(bundle) }
        do {
            return try await use()
        } catch {
            state.withLock { state in state.installed.removeAll { $0.identifier == identifier } }
            throw error
        }
    }
}

extension Principal {
    private final class Object: Sendable {}

    /// Creates a principal whose routes return pages titled by their names, and whose actions return their parameters.
    init(_ bundle: FakeBundle) {
        self.init(
            Object(), accepts: bundle.accepts,
            resource: { request in
                if let serve = bundle.serve { return try await serve(request) }
                if request.name.hasPrefix("page") {
                    let names = request.parameters.names
                    return .page(TitledPage(title: request.name, lines: names))
                }
                return .object(request.parameters.values.mapValues { String(describing: $0) })
            },
            target: bundle.target ?? { name in
                ActionTarget(
                    name,
                    actions: bundle.actions + [
                        Action("echo") { try $0.require("text", as: String.self) },
                        Action("yes") { _ in true },
                    ]
                )
            })
    }
}

@MainActor
final class TitledPage: Page {
    let title: String
    let lines: [String]
    var content: [PageElement] { lines.map { .text($0) } }

    init(title: String, lines: [String] = []) { (self.title, self.lines) = (title, lines) }
}

/// A navigator that dismisses presented pages at once, with the value true.
@MainActor
final class Stack: Navigator {
    private(set) var pages: [any Page] = []
    nonisolated init() {}
    func push(_ page: any Page) { pages.append(page) }
    func pop() { pages.removeLast() }
    /// A latch that opens when the first page is presented.
    let presented = Latch()
    /// A closure that acts as the user before a presented page is dismissed.
    var onPresent: @Sendable () async -> Void = {}

    func present(_ page: any Page) async -> (any Sendable)? {
        presented.open()
        await onPresent()
        return true
    }

    func dismiss(returning value: (any Sendable)?) {}
    func show(notice: String) {}
}

/// An interceptor that calls a closure.
struct Interceptor: RouteInterceptor {
    let name: String
    private let body: @Sendable (ResourceRequest) async throws -> Interception

    init(_ name: String, _ body: @escaping @Sendable (ResourceRequest) async throws -> Interception) {
        (self.name, self.body) = (name, body)
    }

    /// Creates an interceptor that allows each request after a closure was called.
    init(_ name: String, allowing note: @escaping @Sendable (ResourceRequest) async -> Void) {
        self.init(name) { request in
            await note(request)
            return .allow
        }
    }

    func intercept(_ request: ResourceRequest) async throws -> Interception { try await body(request) }
}
