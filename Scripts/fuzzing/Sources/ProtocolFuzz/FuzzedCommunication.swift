import PluginCore
import ExtensionProtocol

/// The mediator, router, services and events of a host that calls everything a plugin gives it, and returns what it gets.
struct FuzzedCommunication: Mediating, Routing, ServiceRegistry, EventBus {
    private let token = HostToken()

    func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        for value in parameters.values.values { try await call(value) }
        return parameters
    }

    func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        try await perform("", on: "", parameters)
    }

    func releaseTarget(named name: String) {}

    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        .handled(userInfo)
    }

    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        userInfo.values["object"] ?? uri
    }

    func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        guard let page = userInfo.values["page"] as? any Page else { return FuzzedPage() }
        return page
    }

    func canOpen(_ uri: ResourceURI) async -> Bool { true }

    func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {
        let request = ResourceRequest(uri: try ResourceURI("app://x"), name: pattern)
        if let accepts = options.accepts { _ = await accepts(request) }
        _ = try await handler(request)
    }

    func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {
        _ = try await interceptor.intercept(ResourceRequest(uri: try ResourceURI("app://x"), name: ""))
    }

    func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try ResourceURI("\(scheme ?? "app")://x")
    }

    func unregister(_ pattern: String) {}

    func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) async throws {
        try await call(try await make())
    }

    func service(named name: String) async throws -> any Sendable { { @Sendable (text: String) in _ = text } }

    func post(_ name: String, _ payload: any Sendable) async { try? await call(payload) }

    func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) throws -> EventObservation {
        let task = Task { try await observer(name) }
        return EventObservation { task.cancel() }
    }

    private func call(_ value: any Sendable) async throws {
        switch value {
        case let closure as @Sendable (String) -> Void: closure("text")
        case let closure as @Sendable () async throws -> Int: _ = try await closure()
        case let target as ActionTarget: _ = try await target.notFound?("action", [:])
        case let page as any Page: _ = await page.content
        default: break
        }
    }
}

extension ExportedHost {
    init(_ host: FuzzedCommunication) { self.init(mediator: host, router: host, services: host, events: host) }
}

/// A page of the host.
@MainActor
final class FuzzedPage: Page {
    let title = "Host"
    let content: [PageElement] = [.text("text")]
}

/// A stack of pages to which a plugin can push without end.
@MainActor
final class FuzzedNavigator: Navigator {
    private(set) var pages: [any Page]

    init(_ pages: [any Page]) { self.pages = pages }

    func push(_ page: any Page) { pages = pages.suffix(10) + [page] }
    func pop() { if pages.count > 1 { pages.removeLast() } }
    func present(_ page: any Page) async -> (any Sendable)? { page.title }
    func dismiss(returning value: (any Sendable)?) {}
    func show(notice: String) {}
}
