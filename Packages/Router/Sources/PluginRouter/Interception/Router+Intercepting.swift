public import PluginCore

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
        let place: InterceptorTable.Place =
            switch scope {
            case .everything: .everything
            case .scheme(let scheme): .scheme(scheme.lowercased())
            case .bundle(let identifier): .bundle(identifier)
            case .route(let pattern): .route(try RoutePattern(pattern, converters: converters))
            }
        try registrationStore.update(under: host) { registrations in
            registrations.intercept(by: interceptor, at: place, priority: priority, onlyOf: nil, under: host)
        }
    }

    /// Returns all interceptors and guards before a route, in order.
    func interceptors(of match: RouteMatch, for uri: ResourceURI) -> [ApplicableInterceptor] {
        let route = match.route
        return registrationStore.load().interceptors.standing(before: route, for: uri).compactMap { entry in
            var interceptor = InterceptorKind.interceptor(entry)
            if let check = entry.interceptor as? RouteGuard {
                if check.isBeingAsked { return nil }
                interceptor = .guard(check.name)
            }
            return ApplicableInterceptor(interceptor, at: entry.place, of: entry.lease.owner)
        } + route.guards.map { ApplicableInterceptor(.guard($0), at: .route(route.pattern), of: route.owner) }
    }

    /// Asks the interceptors that have not allowed the request yet, until one denies, redirects or suspends it.
    ///
    /// - Throws: ``AtriumError`` with code `routeDenied`, and the errors of the interceptors.
    func runInterceptors(
        _ match: RouteMatch, _ asked: ResourceRequest, _ request: RouteRequest, after passed: PassedInterceptors
    ) async throws -> InterceptionOutcome {
        let interceptors = passed.missing(among: interceptors(of: match, for: request.uri))
        if interceptors.isEmpty { return .passed }
        var passed = passed
        var hasWaited = false
        for interceptor in interceptors {
            let answer = try await ask(interceptor.interceptor, asked)
            passed.insert(interceptor)
            switch answer {
            case .allow: if case .guard = interceptor.interceptor { hasWaited = true }
            case .deny(let reason): throw AtriumError(.routeDenied, request.uri.text, reason: .verbatim(reason))
            case .redirect(let uri): return .redirected(uri, isConfined: interceptor.interceptor.isConfined)
            case .suspend(let reason, let condition):
                // The user may take any time, so deadlines are paused.
                guard try await PausableStopwatch.pausing(true, { try await condition() }) else {
                    throw AtriumError(.routeDenied, request.uri.text, reason: .verbatim(reason))
                }
                return .waited(passed)
            @unknown default:
                // An unknown answer must not allow the request.
                throw AtriumError(
                    .routeDenied, request.uri.text, reason: "answerUnknown", ["interceptor": .text(interceptor.name)])
            }
        }
        return hasWaited ? .waited(passed) : .passed
    }

    private func ask(_ interceptor: InterceptorKind, _ asked: ResourceRequest) async throws -> Interception {
        switch interceptor {
        // The deadline is paused while the guard waits for the user.
        case .guard(let name):
            let check = RouteGuard(name, mediator)
            return try await handlerDeadline.run(name, of: "the guard") { try await check.intercept(asked) }
        case .interceptor(let entry):
            let interceptor = entry.interceptor
            return try await entry.lease.countingCall {
                try await entry.lease.naming("the interceptor \(interceptor.name)") {
                    try await handlerDeadline.run(interceptor.name, of: entry.lease.owner) {
                        try await entry.lease.invoking(.interception) { try await interceptor.intercept(asked) }
                    }
                }
            }
        }
    }
}

/// An interceptor or a guard.
enum InterceptorKind {
    case interceptor(InterceptorTable.Entry)
    /// A guard action, as target and action.
    case `guard`(String)

    /// A Boolean value that indicates whether code in a process of its own answers.
    var isConfined: Bool { if case .interceptor(let entry) = self { entry.lease.isConfined } else { false } }

    /// The name for lists and errors.
    var name: String {
        switch self {
        case .interceptor(let entry): entry.interceptor.name
        case .guard(let name): name
        }
    }
}

/// The result of asking the interceptors.
enum InterceptionOutcome {
    case passed
    /// A guard or suspension may have taken a user's time, so routes may have changed. These interceptors have allowed the request.
    case waited(PassedInterceptors)
    case redirected(ResourceURI, isConfined: Bool)
}

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

/// An interceptor with its scope and its owner.
struct ApplicableInterceptor {
    let interceptor: InterceptorKind
    fileprivate let key: Key

    fileprivate struct Key: Hashable {
        let name: String
        let place: InterceptorTable.Place
        let owner: String
    }

    init(_ interceptor: InterceptorKind, at place: InterceptorTable.Place, of owner: String) {
        self.interceptor = interceptor
        key = Key(name: interceptor.name, place: place, owner: owner)
    }

    /// The name for lists and errors.
    var name: String { interceptor.name }
}

/// The interceptors that have allowed a request, so that after a suspension only the others are asked.
///
/// Interceptors with the same name, scope and owner count as the same one, even if an update has replaced the value.
struct PassedInterceptors {
    /// The number of interceptors per key, because several may have the same name.
    private var counts: [ApplicableInterceptor.Key: Int] = [:]

    mutating func insert(_ interceptor: ApplicableInterceptor) { counts[interceptor.key, default: 0] += 1 }

    /// Returns the interceptors that have not been asked, in order.
    func missing(among interceptors: [ApplicableInterceptor]) -> [ApplicableInterceptor] {
        if counts.isEmpty { return interceptors }
        var left = counts
        return interceptors.filter { interceptor in
            guard let count = left[interceptor.key], count > 0 else { return true }
            left[interceptor.key] = count - 1
            return false
        }
    }
}
