import HostSystem
public import PluginCore

extension Router {
    /// Sets the fallback for addresses that neither an installed bundle nor the catalog handles, and replaces an earlier one.
    ///
    /// The most specific pattern is tried first, then the scheme, then the general fallback. If a fallback fails, the next one is tried. If
    /// all of them fail, the caller gets the error of the original address, with the failures of the fallbacks as problems, or the error of
    /// a fallback outside of the app.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed`.
    public func fallback(_ scope: FallbackScope, to action: FallbackAction) throws(AtriumError) {
        var fallback = RegisteredFallback(scope: scope, action: action)
        switch scope {
        case .pattern(let text):
            let pattern = try RoutePattern(text, converters: converters)
            (fallback.scope, fallback.pattern) = (.pattern(pattern.canonicalKey), pattern)
        case .scheme(let scheme): fallback.scope = .scheme(scheme.lowercased())
        case .everything: break
        }
        try ports.registrationStore.update(under: ports.hostLease) { registrations in
            registrations.fallbacks.removeAll { $0.scope == fallback.scope }
            registrations.fallbacks.append(fallback)
        }
    }

    /// Returns the fallbacks for an address in the order in which they are tried.
    package func fallbacks(for uri: ResourceURI) -> [(action: FallbackAction, captures: RouteCaptures?)] {
        ports.registrationStore.load().fallbacks.matching(uri)
    }

    /// Handles a request that no installed or available route accepts.
    func answerUnhandled<R: Sendable>(
        _ request: RouteRequest, _ refusals: RouteRefusals, _ use: @escaping Use<R>
    ) async throws -> R {
        if let error = try await ports.onDemandProvider?.refusal(ofRoute: request.query) { throw error }
        if let error = refusals.error(for: request.query) { throw error }
        if refusals.declined.isEmpty, let error = try await offeredOtherwise(request.query) { throw error }
        let unknown = try await unknown(request.uri, for: request.origin, declined: refusals.declined)
        if request.isFallback { throw unknown }
        return try await fallBack(from: request, unknown, use)
    }

    /// Returns whether a bundle that can be installed declares the address, even for other kinds or callers, or would if it could be.
    func isOffered(_ query: RouteQuery) async throws -> Bool {
        guard let provider = ports.onDemandProvider else { return false }
        if try await provider.providingBundle(ofRoute: query) != nil { return true }
        if try await provider.refusal(ofRoute: query) != nil { return true }
        return try await offeredOtherwise(query) != nil
    }

    /// Returns the error for an address that the catalog handles for other kinds or callers. Nothing is installed for such a request.
    private func offeredOtherwise(_ query: RouteQuery) async throws -> AtriumError? {
        guard let provider = ports.onDemandProvider else { return nil }
        let others = RouteQuery(
            query.uri, as: Set(RouteKind.allCases).subtracting(query.kinds), for: query.origin)
        if try await provider.providingBundle(ofRoute: others) != nil { return .otherKind(query) }
        let hosts = RouteQuery(query.uri, as: query.kinds, for: .host)
        guard query.origin != .host, let owner = try await provider.providingBundle(ofRoute: hosts) else { return nil }
        return AtriumError(
            .exposureDenied, query.uri, reason: "installableNotExposed",
            ["owner": .text(owner), "caller": "\(query.origin)"])
    }

    private func fallBack<R: Sendable>(
        from request: RouteRequest, _ unknown: AtriumError, _ use: @escaping Use<R>
    ) async throws -> R {
        guard request.query.isOpening else { throw unknown }
        var failures: [ErrorReason] = []
        var refusal: (any Error)?
        for (action, captures) in fallbacks(for: request.uri) {
            do {
                return try await take(action, captures, for: request, use)
            } catch {
                if case .outside = action { refusal = error }
                failures.append(ErrorReason("fallbackFailed", ["error": .reason(.error(error))]))
            }
        }
        if let refusal { throw refusal }
        throw AtriumError(
            unknown.code, unknown.subject, reason: unknown.reason, problems: failures, nearest: unknown.nearest)
    }

    private func take<R: Sendable>(
        _ fallback: FallbackAction, _ captures: RouteCaptures?, for request: RouteRequest, _ use: @escaping Use<R>
    ) async throws -> R {
        let resource: Resource
        switch fallback {
        case .address(let uri):
            let uri = uri.adding(["url": request.uri.text])
            return try await handle(request.redirected(to: uri, asFallback: true), use)
        case .outside(let pass):
            try await pass(
                OutboundLink(
                    uri: request.uri, origin: request.origin, isFromOutside: RequestChain.isFromOutside,
                    isFromConfined: Lease.isConfinedCaller))
            resource = .object(())
        case .handler(let handler):
            let handled = ResourceRequest(
                uri: request.uri, name: "fallback", captures: captures?.values ?? [],
                rest: captures?.rest?.segments ?? [], userInfo: request.userInfo, origin: request.origin)
            resource = try await ports.deadline().run(request.uri.text, of: "the host's fallback") {
                try await handler(handled)
            }
        }
        return try await use(ServedRequest(resource: resource, owner: ports.hostLease.owner, request: request))
    }

    private func unknown(
        _ uri: ResourceURI, for caller: RequestOrigin, declined: [String]
    ) async throws -> AtriumError {
        var patterns = try await directory.patterns() + registeredRoutes.map(\.pattern.text)
        var reasons = declined.isEmpty ? [] : [ErrorReason("declined", ["bundles": .list(declined)])]
        if declined.isEmpty, case .plugin(let caller) = caller {
            let segments = RoutePattern.firstSegments(matching: uri).filter { !$0.isEmpty }
            let isCallers = try await directory.routes(withFirstSegments: segments).contains { $0.owner == caller }
            if isCallers { reasons.append(ErrorReason("prefixIsCallers", ["bundle": .text(caller)])) }
        }
        do {
            patterns += try await ports.onDemandProvider?.patterns() ?? []
        } catch {
            // An unreachable catalog must neither hide that the address is unknown nor be taken for one without a matching route.
            reasons.append(ErrorReason("noneInstalledNoCatalog"))
        }
        if let absence = try? await ports.onDemandProvider?.absence(of: uri) { reasons.append(absence) }
        return AtriumError(
            .routeUnknown, uri, reason: .all(of: reasons),
            nearest: AddressSuggestion.nearest(to: uri, in: patterns, converters: converters)
        )
    }
}
