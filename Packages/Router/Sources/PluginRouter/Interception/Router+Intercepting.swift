public import PluginCore

extension Router {
    /// Puts an interceptor of the host in front of routes, whoever owns them.
    ///
    /// They are asked from the widest scope to the narrowest: everything, scheme, bundle, route. In one scope the higher
    /// priority is asked first, and of equals who came first; after all of them the route's guards.
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

    /// All who are asked before a route serves an address, in order.
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

    /// Asks all who stand before a route and have not let the request pass already, up to one that has it wait.
    ///
    /// - Throws: ``AtriumError`` with code `routeDenied`, and what one of them throws.
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
                // A user may take all day.
                guard try await Stopwatch.pausing(true, { try await condition() }) else {
                    throw AtriumError(.routeDenied, request.uri.text, detail: reason)
                }
                return .waited(passed)
            @unknown default:
                // What this host cannot read is no yes.
                throw AtriumError(.routeDenied, request.uri.text, detail: "\(judge.name) gave an unknown answer")
            }
        }
        return hasWaited ? .waited(passed) : .passed
    }

    private func ask(_ judge: Judge, _ asked: ResourceRequest) async throws -> Interception {
        switch judge {
        // While it shows a page and waits for the user, its time stands still.
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

/// Somebody who is asked whether a request may go on.
enum Judge {
    case interceptor(InterceptorTable.Entry)
    /// An action, as `Target.action`.
    case `guard`(String)

    /// What listings call it.
    var name: String {
        switch self {
        case .interceptor(let entry): entry.interceptor.name
        case .guard(let name): name
        }
    }
}

/// What became of a request that was judged.
enum Judgement {
    case passed
    /// One of them took a user's time, in which routes may have changed; these have let it pass.
    case waited(PassedJudges)
    case redirected(ResourceURI)
}
