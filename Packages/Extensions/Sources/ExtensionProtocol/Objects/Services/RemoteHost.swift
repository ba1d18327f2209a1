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
        var result = try await objects.callRoot(Function.perform) { writer in
            writer.plain.write(all: action, target)
            try writer.write(parameters)
        }
        return try result.readAny()
    }

    package func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        var result = try await objects.callRoot(Function.performAddress) { writer in
            uri.write(to: &writer.plain)
            try writer.write(parameters)
        }
        return try result.readAny()
    }

    package func releaseTarget(named name: String) {
        try? objects.notify(0, Function.releaseTarget.rawValue) { $0.plain.write(name) }
    }
}

extension RemoteHost: Routing {
    package func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        var result = try await objects.callRoot(Function.open) { writer in
            writer.plain.write(all: uri, presentation == .modal)
            try writer.write(userInfo)
        }
        return try result.readOutcome()
    }

    package func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        var result = try await call(.object, uri, userInfo)
        return try result.readAny()
    }

    package func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        var result = try await call(.page, uri, userInfo)
        return try result.readPage()
    }

    private func call(
        _ function: Function, _ uri: ResourceURI, _ userInfo: ActionParameters
    ) async throws -> ValueReader {
        try await objects.callRoot(function) { writer in
            uri.write(to: &writer.plain)
            try writer.write(userInfo)
        }
    }

    package func canOpen(_ uri: ResourceURI) async -> Bool {
        var result = try? await objects.callRoot(Function.canOpen) { uri.write(to: &$0.plain) }
        return (try? result?.plain.readBool()) ?? false
    }

    package func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {
        _ = try await objects.callRoot(Function.register) { writer in
            let seconds = options.deadline.map {
                Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18
            }
            writer.plain.write(
                all: pattern, kind.rawValue, options.exposure.rawValue, options.priority, options.guards, seconds)
            writer.write(ExportedClosure { try $1.write(await handler(try $0.readRequest())) })
            writer.plain.write(options.accepts != nil)
            if let accepts = options.accepts {
                writer.write(ExportedClosure { $1.plain.write(await accepts(try $0.readRequest())) })
            }
        }
    }

    package func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {
        _ = try await objects.callRoot(Function.intercept) { writer in
            writer.plain.write(all: pattern, interceptor.name)
            writer.write(ExportedClosure { try $1.write(await interceptor.intercept(try $0.readRequest())) })
        }
    }

    package func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        var result = try objects.callRootBlocking(Function.address) { $0.plain.write(all: pattern, parts, scheme) }
        return try ResourceURI(from: &result.plain)
    }

    package func unregister(_ pattern: String) {
        try? objects.notify(0, Function.unregister.rawValue) { $0.plain.write(pattern) }
    }
}

extension RemoteHost: ServiceRegistry {
    package func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) async throws {
        _ = try await objects.callRoot(Function.provide) { writer in
            writer.plain.write(all: name, policy.rawValue)
            writer.write(ExportedClosure { try $1.write(any: await make(), named: name) })
        }
    }

    package func service(named name: String) async throws -> any Sendable {
        var result = try await objects.callRoot(Function.service) { $0.plain.write(name) }
        return try result.readAny()
    }
}

extension RemoteHost: EventBus {
    package func post(_ name: String, _ payload: any Sendable) async {
        do {
            _ = try await objects.callRoot(Function.post) { writer in
                writer.plain.write(name)
                try writer.write(any: payload, named: name)
            }
        } catch {
            report("the event \(name) was not posted: \(error)")
        }
    }

    package func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) throws -> EventObservation {
        var result = try objects.callRootBlocking(Function.observe) { writer in
            writer.plain.write(all: name, priority)
            writer.write(ExportedClosure { arguments, _ in try await observer(arguments.readAny()) })
        }
        let reference = try result.readReference()
        return EventObservation { reference.notifyClosure() }
    }
}
