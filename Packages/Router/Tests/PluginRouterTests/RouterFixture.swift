import PluginCore
import PluginRouter
import Synchronization
import Testing

/// A fixture of bundles in memory with a router and a mediator.
///
/// Its time stands still unless a test provides a clock, so deadlines do not depend on the load of the machine.
@MainActor
final class RouterFixture {
    let shelf: Shelf
    let stack = Stack()
    let registrationStore = RegistrationStore()
    let mediator: Mediator
    let router: Router

    init(
        installed: [FakeBundle], offered: [FakeBundle] = [], limits: RouterLimits = .standard,
        converters: RouteConverters = .standard, clock: any Clock<Duration> = ManualClock()
    ) {
        let shelf = Shelf(installed: installed, offered: offered)
        self.shelf = shelf
        mediator = Mediator(
            bundles: shelf, onDemandProvider: shelf, registrationStore: registrationStore)
        router = Router(
            directory: shelf, bundles: shelf, mediator: mediator, onDemandProvider: shelf, navigator: stack,
            registrationStore: registrationStore, limits: limits, converters: converters, clock: clock)
    }

    func routing(as owner: String = "test") -> any Routing {
        let bundle = BundleIdentifier(owner).map {
            Lease(of: BundleIdentity(identifier: $0, version: SemanticVersion(major: 1, minor: 0, patch: 0)))
        }
        return router.leased(to: bundle ?? Lease(owner: owner))
    }
}

extension BundleContext {
    /// Creates the context of a bundle without resources or storage.
    @MainActor
    static func forTests(_ identifier: BundleIdentifier, in fixture: RouterFixture, _ host: BundleHost) -> BundleContext
    {
        let lease = Lease(owner: identifier.text)
        return BundleContext(
            identity: BundleIdentity(
                identifier: identifier, version: SemanticVersion(major: 1, minor: 0, patch: 0)),
            resources: BundleResources(root: "/nonexistent"), container: BundleContainer(root: "/nonexistent"),
            defaults: NoDefaults(), widgets: WidgetController { _, _ in }, logger: BundleLogger { _, _ in },
            mediator: fixture.mediator.leased(to: lease), router: fixture.router.leased(to: lease),
            services: host.services.leased(to: lease), events: host.events.leased(to: lease))
    }
}

/// A bundle whose routes return an object or a page that describes the request.
struct FakeBundle: Sendable {
    let identifier: String
    var routes: [RouteDeclaration] = []
    var targets: [String] = []
    /// The actions of its targets that callers from outside of the app may call.
    var exposedActions: [String] = []
    var isBroken = false
    /// The known reason why the bundle cannot be installed.
    var refusal: AtriumError?
    /// The handler of the principal object, or nil for the default one.
    var serve: RouteHandler?
    var accepts: @Sendable (ResourceRequest) async -> Bool = { _ in true }
    /// Additional actions of its targets.
    var actions: [Action] = []
    var team: String?

    /// Returns a bundle with a target `Account` that has one more action, which can be a guard.
    static func account(_ action: String, _ body: @escaping Action.Body) -> FakeBundle {
        FakeBundle(identifier: "account", targets: ["Account"], actions: [Action(action, body)])
    }
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
        var loaded: [String] = []
        var leases: [String: Lease] = [:]
        var onLoad: @Sendable () -> Void = {}
        var watch: FirstCall.Watch?
    }

    private let offered: [FakeBundle]
    private let state: Mutex<State>

    init(installed: [FakeBundle], offered: [FakeBundle]) {
        self.offered = offered
        self.state = Mutex(State(installed: installed))
    }

    var loaded: [String] { state.withLock { $0.loaded } }
    var installed: [String] { state.withLock { $0.installed.map(\.identifier) } }

    /// Replaces the bundle with the same identifier.
    func update(to bundle: FakeBundle) {
        uninstall(bundle.identifier)
        state.withLock { $0.installed.append(bundle) }
    }

    func uninstall(_ identifier: String) {
        state.withLock { state in state.installed.removeAll { $0.identifier == identifier } }
    }

    /// Sets a closure that is called whenever a bundle is loaded.
    func onLoad(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onLoad = body }
    }

    /// Sets an observer of the first calls of all bundles.
    func watch(_ watch: @escaping FirstCall.Watch) {
        state.withLock { $0.watch = watch }
    }

    func routes(withFirstSegments firstSegments: [String]) async throws -> [Route] {
        try state.withLock { $0.installed }.flatMap { bundle in
            try bundle.routes.map { try Route($0, owner: bundle.identifier) }
        }.filter { !Set(firstSegments).isDisjoint(with: $0.pattern.firstSegments) }
    }

    func isSameTeam(_ owner: String, _ other: String) async throws -> Bool {
        let installed = state.withLock { $0.installed }
        let teams = [owner, other].map { owner in installed.first { $0.identifier == owner }?.team }
        return teams[0] != nil && teams[0] == teams[1]
    }

    func patterns() async throws -> [String] {
        (state.withLock { $0.installed } + offered).flatMap { $0.routes.map(\.pattern) }
    }

    func target(named name: String) async throws -> TargetListing? {
        Self.listing(of: name, in: state.withLock { $0.installed })
    }

    private static func listing(of name: String, in bundles: [FakeBundle]) -> TargetListing? {
        bundles.first { $0.targets.contains(name) }.map {
            let actions = $0.exposedActions.map { ActionDeclaration(name: $0, exposure: .external) }
            return TargetListing(TargetDeclaration(name: name, actions: actions), owner: $0.identifier)
        }
    }

    func targetNames() async throws -> [String] {
        state.withLock { $0.installed }.flatMap(\.targets)
    }

    func owner(ofService name: String) async throws -> String? { nil }
    func serviceNames() async throws -> [String] { [] }

    func loaded(_ identifier: String) async throws -> LoadedBundle {
        let principal = try await principal(of: identifier)
        let lease = state.withLock { state in
            let lease =
                state.leases[identifier]
                ?? BundleIdentifier(identifier).map {
                    let version = SemanticVersion(major: 1, minor: 0, patch: 0)
                    return Lease(of: BundleIdentity(identifier: $0, version: version), watching: state.watch)
                } ?? Lease(owner: identifier, watching: state.watch)
            state.leases[identifier] = lease
            return lease
        }
        return LoadedBundle(principal: principal, lease: lease)
    }

    func principal(of identifier: String) async throws -> Principal {
        let bundle = state.withLock { state in
            state.loaded.append(identifier)
            return state.installed.first { $0.identifier == identifier }
        }
        state.withLock { $0.onLoad }()
        guard let bundle, !bundle.isBroken else { throw AtriumError(.init("libraryUnloadable"), identifier) }
        return Principal(bundle)
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

    func providingBundle(ofService name: String) async throws -> String? { nil }

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
            target: { name in
                ActionTarget(
                    name,
                    actions: bundle.actions + [
                        Action("echo") { try $0.require("text", as: String.self) },
                        Action("yes") { _ in true },
                        Action("no") { _ in false },
                        Action("ask") { parameters in
                            let ask = try parameters.require("ask", as: (@Sendable (Int) async -> Int).self)
                            return await ask(20)
                        },
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

    init(title: String, lines: [String] = []) {
        self.title = title
        self.lines = lines
    }
}

/// A navigator that dismisses presented pages at once, with the value true.
@MainActor
final class Stack: Navigator {
    private(set) var pages: [any Page] = []
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
        self.name = name
        self.body = body
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
