import PluginCore
import Synchronization

extension BundleContext {
    /// A context in which nothing else is installed.
    static func forTests(services: RecordedServices = RecordedServices(), groups: [AppGroup] = []) -> BundleContext {
        BundleContext(
            identity: BundleIdentity(
                identifier: "com.example.test", version: SemanticVersion(major: 1, minor: 0, patch: 0)),
            resources: BundleResources(root: "/nonexistent"),
            container: BundleContainer(root: "/nonexistent"), defaults: NoDefaults(), groups: groups,
            widgets: WidgetController { _, _ in },
            logger: BundleLogger { _, _ in },
            mediator: NoMediator(), router: NoRouter(), services: services, events: NoEvents())
    }
}

extension Resource {
    var page: (any Page)? { if case .page(let page) = self { page } else { nil } }
    var object: (any Sendable)? { if case .object(let object) = self { object } else { nil } }
}

/// A registry that creates an instance of each service as soon as it is provided.
final class RecordedServices: ServiceRegistry {
    private let made = Mutex<[String: any Sendable]>([:])

    func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) async throws {
        let service = try await make()
        made.withLock { $0[name] = service }
    }

    func service(named name: String) async throws -> any Sendable {
        guard let service = made.withLock({ $0[name] }) else { throw AtriumError(.serviceUnknown, name) }
        return service
    }
}

/// A mediator that passes each call to a target in memory.
struct NoMediator: Mediating {
    var target: ActionTarget?

    func perform(_ action: String, on target: String, _ parameters: ActionParameters) async throws -> any Sendable {
        guard let own = self.target, own.name == target, let action = own.action(action) else {
            throw AtriumError(.targetUnknown, target)
        }
        return try await action.body(parameters)
    }

    func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        throw AtriumError(.targetUnknown, uri.text)
    }

    func releaseTarget(named name: String) {}
}

private struct NoDefaults: DefaultsStore {
    func values() throws -> DefaultsValues { DefaultsValues() }
    func change(_ body: (inout DefaultsValues) throws -> Void) throws {}
}

private struct NoEvents: EventBus {
    func post(_ name: String, _ payload: any Sendable) async {}
    func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) throws -> EventObservation { EventObservation {} }
}

private struct NoRouter: Routing {
    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        throw AtriumError(.routeUnknown, uri.text)
    }
    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable { () }
    func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        throw AtriumError(.routeUnknown, uri.text)
    }

    func canOpen(_ uri: ResourceURI) async -> Bool { false }
    func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {}
    func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {}
    func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try ResourceURI(pattern)
    }
    func unregister(_ pattern: String) {}
}
