package import PluginCore

private typealias Function = ExportedHost.Function

/// The host in the process of a plugin: its mediator, its router, the services of it and of other bundles, and its event bus.
package struct RemoteHost {
    private let objects: ObjectConnection
    private let report: @Sendable (String) -> Void

    /// Creates the host.
    ///
    /// - Parameter report: Receives the reason why an event could not be posted.
    package init(of objects: ObjectConnection, report: @escaping @Sendable (String) -> Void) {
        self.objects = objects
        self.report = report
    }
}

extension RemoteHost: Mediating {
    package func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        try await objects.call(Function.perform, action, target, parameters, as: AnyValue.self).value
    }

    package func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        try await objects.call(Function.performAddress, uri, parameters, as: AnyValue.self).value
    }

    package func releaseTarget(named name: String) { objects.notify(Function.releaseTarget, name) }
}

extension RemoteHost: Routing {
    package func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        try await objects.call(Function.open, uri, presentation == .modal, userInfo)
    }

    package func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        try await objects.call(Function.object, uri, userInfo, as: AnyValue.self).value
    }

    package func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        try await objects.call(Function.page, uri, userInfo, as: PassedPage.self).page
    }

    package func canOpen(_ uri: ResourceURI) async -> Bool {
        (try? await objects.call(Function.canOpen, uri, as: Bool.self)) ?? false
    }

    package func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {
        let seconds = options.deadline.map {
            Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18
        }
        try await objects.call(
            Function.register, pattern, kind.rawValue, options.exposure.rawValue, options.priority, options.guards,
            seconds, ExportedClosure(handler), options.accepts.map { ExportedClosure($0) })
    }

    package func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {
        try await objects.call(
            Function.intercept, pattern, interceptor.name, ExportedClosure(interceptor.intercept))
    }

    package func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try objects.callBlocking(Function.address, pattern, parts, scheme)
    }

    package func unregister(_ pattern: String) { objects.notify(Function.unregister, pattern) }
}

extension RemoteHost: ServiceRegistry {
    package func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) async throws {
        try await objects.call(
            Function.provide, name, policy.rawValue, ExportedClosure { AnyValue(try await make(), named: name) })
    }

    package func service(named name: String) async throws -> any Sendable {
        try await objects.call(Function.service, name, as: AnyValue.self).value
    }
}

extension RemoteHost: EventBus {
    package func post(_ name: String, _ payload: any Sendable) async {
        do {
            try await objects.call(Function.post, name, AnyValue(payload, named: name))
        } catch {
            report("the event \(name) was not posted: \(error)")
        }
    }

    package func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) throws -> EventObservation {
        let observe: @Sendable (AnyValue) async throws -> Void = { try await observer($0.value) }
        let observation: RemoteReference = try objects.callBlocking(
            Function.observe, name, priority, ExportedClosure(observe))
        return EventObservation { observation.notify() }
    }
}
