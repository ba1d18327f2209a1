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

    package func run(_ number: UInt8, _ arguments: inout WireReader) async throws -> any WireEncodable {
        guard let function = Function(rawValue: number) else { throw WireReader.Malformed() }
        switch function {
        case .perform:
            let (action, target, parameters): (String, String, ActionParameters) = try arguments.read()
            return AnyValue(
                try await mediator.perform(action, on: target, parameters), named: "\(target).\(action)")
        case .performAddress:
            let (uri, parameters): (ResourceURI, ActionParameters) = try arguments.read()
            return AnyValue(try await mediator.perform(uri, parameters), named: uri.text)
        case .releaseTarget: mediator.releaseTarget(named: try arguments.read())
        case .open:
            let (uri, isModal, userInfo): (ResourceURI, Bool, ActionParameters) = try arguments.read()
            return try await router.open(uri, userInfo: userInfo, presentation: isModal ? .modal : .push)
        case .object:
            let (uri, userInfo): (ResourceURI, ActionParameters) = try arguments.read()
            return AnyValue(try await router.object(for: uri, userInfo: userInfo), named: uri.text)
        case .page:
            let (uri, userInfo): (ResourceURI, ActionParameters) = try arguments.read()
            return PassedPage(try await router.page(for: uri, userInfo: userInfo))
        case .canOpen: return await router.canOpen(try arguments.read())
        case .register: try await register(&arguments)
        case .intercept:
            let (pattern, name, closure): (String?, String, RemoteReference) = try arguments.read()
            try await router.intercept(pattern, by: RemoteInterceptor(name: name, closure: closure))
        case .address:
            let (pattern, parts, scheme): (String, AddressParts, String?) = try arguments.read()
            return try router.address(of: pattern, parts, scheme: scheme)
        case .unregister: router.unregister(try arguments.read())
        case .provide:
            let (name, policyName, make): (String, String, RemoteReference) = try arguments.read()
            guard let policy = ServicePolicy(rawValue: policyName) else { throw WireReader.Malformed() }
            try await services.provide(name, policy: policy) { try await make.call(as: AnyValue.self).value }
        case .service:
            let name = try arguments.read(String.self)
            return AnyValue(try await services.service(named: name), named: name)
        case .post:
            let (name, payload): (String, AnyValue) = try arguments.read()
            await events.post(name, payload.value)
        case .observe:
            let (name, priority, observer): (String, Int, RemoteReference) = try arguments.read()
            let observation = try events.observe(name, priority: priority) { payload in
                try await observer.call(AnyValue(payload, named: name))
            }
            return ExportedClosure { observation.cancel() }
        }
        return EmptyReply()
    }

    private func register(_ arguments: inout WireReader) async throws {
        let (pattern, kindName, exposureName): (String, String, String) = try arguments.read()
        guard let kind = RouteKind(rawValue: kindName), let exposure = Exposure(rawValue: exposureName) else {
            throw WireReader.Malformed()
        }
        let (priority, guards): (Int, [String]) = try arguments.read()
        let deadline = try arguments.read(Bool.self) ? try arguments.readDeadline(of: pattern) : nil
        let (handler, accepts): (RemoteReference, RemoteReference?) = try arguments.read()
        var options = RouteOptions(priority: priority, exposure: exposure, guards: guards, deadline: deadline)
        if let accepts {
            options.accepts = { request in (try? await accepts.call(request, as: Bool.self)) ?? true }
        }
        try await router.register(pattern, kind: kind, options: options) { request in
            try await handler.call(request, as: Resource.self)
        }
    }
}

/// An interceptor in the other process.
private struct RemoteInterceptor: RouteInterceptor {
    let name: String
    let closure: RemoteReference

    func intercept(_ request: ResourceRequest) async throws -> Interception { try await closure.call(request) }
}
