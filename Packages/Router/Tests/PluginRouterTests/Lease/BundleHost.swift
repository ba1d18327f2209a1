import PluginCore
import PluginRouter
import Synchronization

/// A bundle for tests: its declarations and its behavior.
struct SampleBundle: Sendable {
    var identifier: String
    var declared: [TargetDeclaration] = []
    var services: [String] = []
    /// A closure that returns a target by name. By default, it returns targets without actions.
    var target: @Sendable (String) -> ActionTarget? = { ActionTarget($0, actions: []) }
    var onLoad: @Sendable (SampleContext) async throws -> Void = { _ in }
}

/// The context of a bundle in these tests.
struct SampleContext: Sendable {
    let lease: Lease
    let mediator: any Mediating
    let services: any ServiceRegistry
    let events: any EventBus
}

/// A host of bundles in memory that are loaded on demand, removed and replaced.
final class BundleHost: Sendable {
    let registrationStore = RegistrationStore()
    let shelf: BundleShelf
    let mediator: Mediator
    let services: ServiceExchange
    let events: EventExchange
    /// The errors of observers.
    let log = Box()

    init(
        _ bundles: SampleBundle..., offered: [SampleBundle] = [], clock: any Clock<Duration> = ManualClock(),
        hostTargets: [ActionTarget] = [], notFound: Mediator.NotFound? = nil
    ) {
        shelf = BundleShelf(installed: bundles, offered: offered)
        mediator = Mediator(
            bundles: shelf, onDemandProvider: shelf, registrationStore: registrationStore, clock: clock,
            hostTargets: hostTargets, notFound: notFound)
        let deadline = Deadline(.seconds(30), clock: clock)
        services = ServiceExchange(
            bundles: shelf, onDemandProvider: shelf, registrationStore: registrationStore, deadline: deadline)
        let log = log
        events = EventExchange(registrationStore: registrationStore, deadline: deadline) { log.add("\($0): \($1)") }
        let (mediator, services, events) = (mediator, services, events)
        shelf.makeContexts {
            SampleContext(
                lease: $0, mediator: mediator.leased(to: $0), services: services.leased(to: $0),
                events: events.leased(to: $0)
            )
        }
    }

    /// Replaces a bundle by another version, or removes it.
    func replace(_ identifier: String, by successor: SampleBundle? = nil) {
        if let lease = shelf.replace(identifier, by: successor) { registrationStore.revoke(lease) }
    }

    /// Returns the lease of a loaded bundle.
    func lease(_ identifier: String) async throws -> Lease { try await shelf.loaded(identifier).lease }
}

/// Lines that several tasks can append to.
final class Box: Sendable {
    private let collected = Mutex<[String]>([])
    var lines: [String] { collected.withLock { $0 } }
    func add(_ line: String) { collected.withLock { $0.append(line) } }
}

/// The bundles that are installed, that can be installed, and that are loaded.
final class BundleShelf: InstalledBundles, OnDemandProvider {
    private struct State {
        var installed: [String: SampleBundle]
        var running: [String: LoadedBundle] = [:]
        var loads: [String] = []
        var context: @Sendable (Lease) -> SampleContext?
    }

    private let offered: [SampleBundle]
    private let state: Mutex<State>

    init(installed: [SampleBundle], offered: [SampleBundle]) {
        self.offered = offered
        let byName = Dictionary(installed.map { ($0.identifier, $0) }) { _, last in last }
        state = Mutex(State(installed: byName) { _ in nil })
    }

    var loads: [String] { state.withLock { $0.loads } }
    var installed: [String] { state.withLock { $0.installed.keys.sorted() } }

    func makeContexts(_ context: @escaping @Sendable (Lease) -> SampleContext) {
        state.withLock { $0.context = context }
    }

    func replace(_ identifier: String, by successor: SampleBundle?) -> Lease? {
        state.withLock { state in
            state.installed[identifier] = successor
            return state.running.removeValue(forKey: identifier)?.lease
        }
    }

    private var bundles: [SampleBundle] {
        state.withLock { $0.installed.values.sorted { $0.identifier < $1.identifier } }
    }

    func target(named name: String) async throws -> TargetListing? { Self.listing(of: name, in: bundles) }
    func targetNames() async throws -> [String] { bundles.flatMap { $0.declared.map(\.name) } }
    func owner(ofService name: String) async throws -> String? {
        bundles.first { $0.services.contains(name) }?.identifier
    }
    func serviceNames() async throws -> [String] { bundles.flatMap(\.services) }

    private static func listing(of name: String, in bundles: [SampleBundle]) -> TargetListing? {
        for bundle in bundles {
            guard let declared = bundle.declared.first(where: { $0.name == name }) else { continue }
            return TargetListing(declared, owner: bundle.identifier)
        }
        return nil
    }

    func loaded(_ identifier: String) async throws -> LoadedBundle {
        if let running = state.withLock({ $0.running[identifier] }) { return running }
        let (found, context) = state.withLock { ($0.installed[identifier], $0.context) }
        guard let found else { throw AtriumError(.bundleNotInstalled, identifier) }
        let lease = Lease(owner: identifier)
        let loaded = LoadedBundle(principal: Principal(found), lease: lease)
        if let context = context(lease) { try await found.onLoad(context) }
        return state.withLock { state in
            state.loads.append(identifier)
            state.running[identifier] = loaded
            return loaded
        }
    }

    func resources(of identifier: String) async throws -> BundleResources { BundleResources(root: "/nonexistent") }

    func providingBundle(ofRoute query: RouteQuery) async throws -> String? { nil }
    func providingBundle(ofTarget name: String) async throws -> TargetListing? { Self.listing(of: name, in: offered) }
    func providingBundle(ofService name: String) async throws -> String? {
        offered.first { $0.services.contains(name) }?.identifier
    }
    func patterns() async throws -> [String] { [] }

    func withOnDemandInstall<R: Sendable>(
        _ identifier: String, _ use: @Sendable () async throws -> R
    ) async throws -> R {
        let bundle = offered.first { $0.identifier == identifier }
        state.withLock { $0.installed[identifier] = bundle }
        return try await use()
    }
}

extension Principal {
    private final class Object: Sendable {}

    fileprivate init(_ bundle: SampleBundle) {
        self.init(Object(), resource: { throw AtriumError(.resourceUnknown, $0.name) }, target: bundle.target)
    }
}

/// A barrier that is closed until a test opens it, and that reports when a task arrives.
final class AsyncGate: Sendable {
    private let open = AsyncStream<Void>.makeStream()
    private let arrived = AsyncStream<Void>.makeStream()

    func pass() async {
        arrived.continuation.yield()
        for await _ in open.stream { return }
    }

    func openUp() { open.continuation.finish() }

    func arrival() async {
        for await _ in arrived.stream { return }
    }
}

/// A value that is set later.
final class Slot<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)
    var value: Value? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
