import HostSystem
public import PluginCore

/// The requests that an interceptor inspects.
public enum InterceptorScope: Hashable, Sendable {
    /// All requests.
    case everything
    /// The requests for addresses of a scheme.
    case scheme(String)
    /// The requests for routes of a bundle, given by its identifier.
    case bundle(String)
    /// The requests for the route of a pattern, whichever bundle owns it.
    case route(String)
}

extension Router {
    /// Adds an interceptor of the host, for the routes of any owner.
    ///
    /// Interceptors are asked from the widest scope to the narrowest: everything, scheme, bundle, route. Within a scope, a higher priority
    /// is asked first, and equal ones in the order of registration. The guards of the route are asked last.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed`.
    public func intercept(
        _ scope: InterceptorScope, priority: Int = 0, by interceptor: any RouteInterceptor
    ) throws(AtriumError) {
        let scope: InterceptorScope =
            switch scope {
            case .everything, .bundle: scope
            case .scheme(let scheme): .scheme(scheme.lowercased())
            case .route(let pattern): .route(try RoutePattern(pattern, converters: converters).canonicalKey)
            }
        let entry = RegisteredInterceptor(
            interceptor: interceptor, scope: scope, priority: priority, lease: ports.hostLease)
        try ports.registrationStore.update(under: ports.hostLease) { $0.intercept(entry) }
    }

    /// Returns all interceptors and guards before a route, in order.
    package func interceptors(of match: RouteMatch, for uri: ResourceURI) -> [RegisteredInterceptor] {
        let route = match.route
        // The requests of a guard's own action are not guarded by it.
        let registered = ports.registrationStore.load().interceptors(of: route, for: uri).filter {
            ($0.interceptor as? RouteGuard)?.isBeingAsked != true
        }
        return registered
            + route.guards.map {
                RegisteredInterceptor(
                    interceptor: RouteGuard($0, mediator), scope: .route(route.pattern.canonicalKey),
                    lease: Lease(owner: route.owner))
            }
    }

    /// Asks interceptors until one denies, redirects or suspends a request.
    ///
    /// - Throws: ``AtriumError`` with code `routeDenied`, and the errors of the interceptors.
    func ask(
        _ interceptors: [RegisteredInterceptor], _ matchedRequest: ResourceRequest, at address: String
    ) async throws -> InterceptionOutcome {
        func denied(_ reason: ErrorReason) -> AtriumError { AtriumError(.routeDenied, address, reason: reason) }
        var hasWaited = false
        for (index, entry) in interceptors.enumerated() {
            switch try await ask(entry, matchedRequest) {
            case .allow: if entry.interceptor is RouteGuard { hasWaited = true }
            case .deny(let reason): throw denied(.verbatim(reason))
            case .redirect(let uri):
                // Code in a process of its own leads to the other address.
                return .redirected(uri, isConfined: entry.lease.isConfined)
            case .suspend(let reason, let condition):
                // The user may take any time, so deadlines are paused.
                guard try await PausableStopwatch.pausing(true, { try await condition() }) else {
                    throw denied(.verbatim(reason))
                }
                return .waited(Array(interceptors[...index]))
            @unknown default:
                // An unknown answer must not allow the request.
                throw denied(ErrorReason("answerUnknown", ["interceptor": .text(entry.interceptor.name)]))
            }
        }
        return hasWaited ? .waited(interceptors) : .passed
    }

    private func ask(
        _ entry: RegisteredInterceptor, _ matchedRequest: ResourceRequest
    ) async throws -> Interception {
        let (code, lease, name) = (entry.interceptor, entry.lease, entry.interceptor.name)
        if code is RouteGuard {
            // The host asks for its caller. The deadline is paused while the guard waits for the user.
            let check = RouteGuard(name, mediator)
            return try await ports.deadline().run(name, of: "the guard") { try await check.intercept(matchedRequest) }
        }
        return try await lease.withNamedCall("the interceptor \(name)") {
            try await ports.deadline().run(name, of: lease.owner) {
                try await lease.invoking(.interception) { try await code.intercept(matchedRequest) }
            }
        }
    }
}

/// The result of asking the interceptors.
enum InterceptionOutcome {
    case passed
    /// A guard or suspension may have taken a user's time, so routes may have changed. These interceptors have allowed the request.
    case waited([RegisteredInterceptor])
    case redirected(ResourceURI, isConfined: Bool)
}

/// An interceptor or a guard that a request must pass.
package struct RegisteredInterceptor: Sendable {
    package let interceptor: any RouteInterceptor
    /// The requests that it inspects. A route is represented by the canonical key of its pattern.
    let scope: InterceptorScope
    var priority = 0
    /// The bundle whose routes the interceptor is limited to, or nil for all bundles.
    var owner: String?
    let lease: Lease
}

extension [RegisteredInterceptor] {
    /// Returns the interceptors without some that have allowed a request, so that after a wait only the others are asked.
    ///
    /// Interceptors with the same name, scope and owner count as the same one, even if an update has replaced the value. There may be
    /// several of them, so each that has allowed the request removes one.
    func removing(_ passed: Self) -> Self {
        var left = passed
        return filter { one in
            let place = left.firstIndex {
                $0.interceptor.name == one.interceptor.name && $0.scope == one.scope
                    && $0.lease.owner == one.lease.owner
            }
            if let place { left.remove(at: place) }
            return place == nil
        }
    }
}
