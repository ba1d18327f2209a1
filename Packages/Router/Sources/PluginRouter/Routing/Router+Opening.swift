import PluginCore

extension Router {
    func open(_ request: RouteRequest) async throws -> RouteOutcome {
        try limits.check(request)
        // A modal page may take any time, so the deadlines of its callers are paused.
        return try await Stopwatch.pausing(request.presentation == .modal) {
            try await accept(request) { served in
                switch served.resource {
                case .object(let value): return .handled(value)
                case .page(let page): return await self.show(page, served.request.presentation)
                }
            }
        }
    }

    func object(_ request: RouteRequest) async throws -> any Sendable {
        try limits.check(request)
        return try await accept(request) { served in
            switch served.resource {
            case .object(let value): return value
            case .page:
                let detail = "\(served.owner) returned a page for an object"
                throw AtriumError(.routeKind, served.request.uri.text, detail: detail)
            }
        }
    }

    func page(_ request: RouteRequest) async throws -> any Page {
        try limits.check(request)
        return try await accept(request) { served in
            switch served.resource {
            case .page(let page): return page
            case .object:
                let detail = "\(served.owner) returned an object for a page"
                throw AtriumError(.routeKind, served.request.uri.text, detail: detail)
            }
        }
    }

    /// Returns whether a request would reach the interceptors of a route.
    func isReachable(_ request: RouteRequest) async -> Bool {
        do {
            try limits.check(request.uri, from: request.origin)
            return try await withRequestChain(request) {
                if case .served = try await retryingLookUp({ try await resolve(request) }) { return true }
                return try await onDemandProvider?.providingBundle(ofRoute: request.query) != nil
            }
        } catch {
            return false
        }
    }

    private func show(_ page: any Page, _ presentation: Presentation) async -> RouteOutcome {
        switch presentation {
        case .push:
            await navigator.push(page)
            return .shown
        case .modal:
            return .dismissed(await navigator.present(page))
        }
    }
}
