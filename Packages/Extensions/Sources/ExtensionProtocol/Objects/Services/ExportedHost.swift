package import PluginCore

/// The host as a plugin sees it: mediator, router, services and events. It is the object with number 0 of the host.
package struct ExportedHost: ExportedObject {
    /// The functions of a host.
    enum Function: UInt8 {
        // The mediator.
        case perform, performAddress, releaseTarget
        // The router.
        case open, object, page, canOpen, register, intercept, address, unregister
        // Services and events.
        case provide, service, post, observe
    }

    private let mediator: any Mediating
    private let router: any Routing
    private let services: any ServiceRegistry
    private let events: any EventBus

    /// Creates the object for the plugin of a bundle, on whose behalf the mediator, the router, the services and the events act.
    package init(
        mediator: any Mediating, router: any Routing, services: any ServiceRegistry, events: any EventBus
    ) {
        self.mediator = mediator
        self.router = router
        self.services = services
        self.events = events
    }

    package func run(
        _ number: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter
    ) async throws {
        guard let function = Function(rawValue: number) else { throw WireReader.Malformed() }
        switch function {
        case .perform:
            let (action, target): (String, String) = try arguments.plain.values()
            let value = try await mediator.perform(action, on: target, arguments.readParameters())
            try result.write(any: value, named: "\(target).\(action)")
        case .performAddress:
            let uri = try ResourceURI(from: &arguments.plain)
            try result.write(any: await mediator.perform(uri, arguments.readParameters()), named: uri.text)
        case .releaseTarget: mediator.releaseTarget(named: try arguments.plain.readText())
        case .open:
            let (uri, isModal): (ResourceURI, Bool) = try arguments.plain.values()
            let outcome = try await router.open(
                uri, userInfo: arguments.readParameters(), presentation: isModal ? .modal : .push)
            try result.write(outcome)
        case .object:
            let uri = try ResourceURI(from: &arguments.plain)
            try result.write(any: await router.object(for: uri, userInfo: arguments.readParameters()), named: uri.text)
        case .page:
            let uri = try ResourceURI(from: &arguments.plain)
            result.write(try await router.page(for: uri, userInfo: arguments.readParameters()))
        case .canOpen: result.plain.write(await router.canOpen(try ResourceURI(from: &arguments.plain)))
        case .register: try await register(&arguments)
        case .intercept:
            let (pattern, name): (String?, String) = try arguments.plain.values()
            try await router.intercept(pattern, by: RemoteInterceptor(name: name, closure: arguments.readReference()))
        case .address:
            let (pattern, parts, scheme): (String, AddressParts, String?) = try arguments.plain.values()
            try router.address(of: pattern, parts, scheme: scheme).write(to: &result.plain)
        case .unregister: router.unregister(try arguments.plain.readText())
        case .provide: try await provide(&arguments)
        case .service:
            let name = try arguments.plain.readText()
            try result.write(any: await services.service(named: name), named: name)
        case .post:
            let name = try arguments.plain.readText()
            await events.post(name, try arguments.readAny())
        case .observe:
            let (name, priority): (String, Int) = try arguments.plain.values()
            let observer = try arguments.readReference()
            let observation = try events.observe(name, priority: priority) { payload in
                try await observer.callClosure { try $0.write(any: payload, named: name) }
            }
            result.write(ExportedClosure { _, _ in observation.cancel() })
        }
    }

    private func register(_ arguments: inout ValueReader) async throws {
        let (pattern, kindName, exposureName): (String, String, String) = try arguments.plain.values()
        guard let kind = RouteKind(rawValue: kindName), let exposure = Exposure(rawValue: exposureName) else {
            throw WireReader.Malformed()
        }
        let (priority, guards): (Int, [String]) = try arguments.plain.values()
        let deadline = try arguments.plain.readBool() ? try arguments.plain.readDeadline(of: pattern) : nil
        let handler = try arguments.readReference()
        let accepts = try arguments.plain.readBool() ? try arguments.readReference() : nil
        var options = RouteOptions(
            priority: priority, exposure: exposure, guards: guards, deadline: deadline)
        if let accepts {
            options.accepts = { request in
                var reply = try? await accepts.callClosure { try $0.write(request) }
                return (try? reply?.plain.readBool()) ?? true
            }
        }
        try await router.register(pattern, kind: kind, options: options) { request in
            var reply = try await handler.callClosure { try $0.write(request) }
            return try reply.readResource()
        }
    }

    private func provide(_ arguments: inout ValueReader) async throws {
        let (name, policyName): (String, String) = try arguments.plain.values()
        guard let policy = ServicePolicy(rawValue: policyName) else { throw WireReader.Malformed() }
        let make = try arguments.readReference()
        try await services.provide(name, policy: policy) {
            var reply = try await make.callClosure()
            return try reply.readAny()
        }
    }
}

/// An interceptor in the other process.
private struct RemoteInterceptor: RouteInterceptor {
    let name: String
    let closure: RemoteReference

    func intercept(_ request: ResourceRequest) async throws -> Interception {
        var reply = try await closure.callClosure { try $0.write(request) }
        return try reply.readInterception()
    }
}
