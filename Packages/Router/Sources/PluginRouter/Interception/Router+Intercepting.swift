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
        try board.update(under: host) { registrations in
            registrations.intercept(by: interceptor, at: place, priority: priority, onlyOf: nil, under: host)
        }
    }

    /// Returns all interceptors and guards before a route, in order.
    func judges(of match: RouteMatch, for uri: ResourceURI) -> [StandingJudge] {
        let route = match.route
        return board.load().interceptors.standing(before: route, for: uri).compactMap { entry in
            var judge = Judge.interceptor(entry)
            if let check = entry.interceptor as? RouteGuard {
                if check.isBeingAsked { return nil }
                judge = .guard(check.name)
            }
            return StandingJudge(judge, at: entry.place, of: entry.lease.owner)
        } + route.guards.map { StandingJudge(.guard($0), at: .route(route.pattern), of: route.owner) }
    }

    /// Asks the interceptors that have not allowed the request yet, until one denies, redirects or suspends it.
    ///
    /// - Throws: ``AtriumError`` with code `routeDenied`, and the errors of the interceptors.
    func judge(
        _ match: RouteMatch, _ request: RouteRequest, after passed: PassedJudges
    ) async throws -> Judgement {
        let judges = passed.missing(among: judges(of: match, for: request.uri))
        if judges.isEmpty { return .passed }
        var passed = passed
        var hasWaited = false
        let asked = match.request(request)
        for judge in judges {
            let answer = try await ask(judge.judge, asked)
            passed.insert(judge)
            switch answer {
            case .allow: if case .guard = judge.judge { hasWaited = true }
            case .deny(let reason): throw AtriumError(.routeDenied, request.uri.text, detail: reason)
            case .redirect(let uri): return .redirected(uri)
            case .suspend(let reason, let condition):
                // The user may take any time, so deadlines are paused.
                guard try await Stopwatch.pausing(true, { try await condition() }) else {
                    throw AtriumError(.routeDenied, request.uri.text, detail: reason)
                }
                return .waited(passed)
            @unknown default:
                // An unknown answer must not allow the request.
                throw AtriumError(.routeDenied, request.uri.text, detail: "\(judge.name) gave an unknown answer")
            }
        }
        return hasWaited ? .waited(passed) : .passed
    }

    private func ask(_ judge: Judge, _ asked: ResourceRequest) async throws -> Interception {
        switch judge {
        // The deadline is paused while the guard waits for the user.
        case .guard(let name):
            let check = RouteGuard(name, mediator)
            return try await handlerDeadline.run(name, of: "the guard") { try await check.intercept(asked) }
        case .interceptor(let entry):
            let interceptor = entry.interceptor
            return try await entry.lease.holding {
                try await entry.lease.naming("the interceptor \(interceptor.name)") {
                    try await handlerDeadline.run(interceptor.name, of: entry.lease.owner) {
                        try await entry.lease.trying(.interception) { try await interceptor.intercept(asked) }
                    }
                }
            }
        }
    }
}

/// An interceptor or a guard.
enum Judge {
    case interceptor(InterceptorTable.Entry)
    /// A guard action, as target and action.
    case `guard`(String)

    /// The name for lists and errors.
    var name: String {
        switch self {
        case .interceptor(let entry): entry.interceptor.name
        case .guard(let name): name
        }
    }
}

/// The result of asking the interceptors.
enum Judgement {
    case passed
    /// A guard or suspension may have taken a user's time, so routes may have changed. These interceptors have allowed the request.
    case waited(PassedJudges)
    case redirected(ResourceURI)
}
