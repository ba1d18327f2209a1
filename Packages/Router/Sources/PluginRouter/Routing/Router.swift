public import PluginCore

/// Opens addresses: finds the route, brings its bundle to life, checks its guards, and shows the page or runs the
/// handler.
///
/// Routes come from manifests, through the directory and without loading code, and from code, through a leased router.
/// Where the catalog has a bundle that the sandbox has not, the bundle is installed and the original request goes on,
/// with all its parameters.
public final class Router: Sendable {
    private let directory: any RouteDirectory
    private let accessor: BusAccessor
    private let mediator: Mediator
    private let supply: (any BundleSupply)?
    private let navigator: any Navigator
    private let board: LeaseBoard

    /// Puts a router together.
    ///
    /// - Parameters:
    ///   - directory: the routes of manifests.
    ///   - provider: the bundles that serve them.
    ///   - mediator: performs guards.
    ///   - supply: bundles that could be installed; `nil` for none.
    ///   - navigator: shows pages.
    ///   - board: what code has registered.
    public init(
        directory: any RouteDirectory, provider: any BundleProvider, mediator: Mediator,
        supply: (any BundleSupply)?, navigator: any Navigator, board: LeaseBoard
    ) {
        self.board = board
        self.directory = directory
        self.accessor = BusAccessor(provider: provider)
        self.mediator = mediator
        self.supply = supply
        self.navigator = navigator
    }

    /// The router as one bundle sees it: what it registers is held by the lease.
    public func leased(to lease: Lease) -> any Routing {
        LeasedRouter(router: self, lease: lease)
    }

    /// The routes that match an address, the one that serves it first.
    public func matches(for uri: ResourceURI) async throws -> [RouteMatch] {
        let declared = try await directory.routes(withHeads: RoutePattern.heads(matching: uri))
        let coded = board.load().routes.candidates(for: uri)
        let matches = (declared + coded).compactMap { route in
            route.pattern.form(matching: uri).map { (route: route, form: $0) }
        }
        // Of two routes that are equally specific the directory's first wins, so the sort must keep their order.
        let sorted = matches.enumerated().sorted { one, other in
            let order = RoutePattern.Form.order(
                one.element.form, other.element.form, ignoringCase: uri.hasAuthority)
            return order == 0 ? one.offset < other.offset : order < 0
        }
        return sorted.map { RouteMatch(route: $0.element.route, captures: $0.element.form.captures(from: uri)) }
    }
}

extension Router {
    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        try await serve(uri, as: Self.opened) { match in
            try await self.check(match.route.guards, for: uri)
            switch try await self.resource(of: match, uri: uri, userInfo: userInfo) {
            case .object(let value): return .handled(value)
            case .page(let page): return await self.show(page, presentation)
            }
        }
    }

    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        try await serve(uri, as: [.object]) { match in
            try await self.check(match.route.guards, for: uri)
            switch try await self.resource(of: match, uri: uri, userInfo: userInfo) {
            case .object(let value): return value
            case .page:
                throw AtriumError(.routeKind, uri.text, detail: "\(match.route.owner) gave a page for an object")
            }
        }
    }

    func canOpen(_ uri: ResourceURI) async -> Bool {
        do {
            if try await match(for: uri, as: Self.opened) != nil { return true }
            return try await supply?.supplier(ofRoute: uri, as: Self.opened) != nil
        } catch {
            return false
        }
    }

    func register(_ route: Route, under lease: Lease) async throws {
        for other in try await directory.routes(withHeads: route.pattern.heads) {
            let shapes = Set(other.pattern.shapes)
            guard let form = route.pattern.forms.first(where: { shapes.contains($0.shape) }) else { continue }
            throw AtriumError.routeConflict(
                route.pattern, of: route.owner, with: other.pattern, of: other.owner, at: form
            )
        }
        try board.update(under: lease) { registrations throws(AtriumError) in
            try registrations.routes.insert(route, under: lease)
        }
    }

    func unregister(_ pattern: RoutePattern, under lease: Lease) {
        try? board.update(under: lease) { $0.routes.remove(pattern, under: lease) }
    }
}

extension Router {
    /// Finds the route for an address and runs `use` with it; when the bundle has to be installed first, that is all
    /// that is different.
    private func serve<R: Sendable>(
        _ uri: ResourceURI, as kinds: Set<RouteKind>, _ use: @escaping @Sendable (RouteMatch) async throws -> R
    ) async throws -> R {
        if let match = try await match(for: uri, as: kinds) { return try await use(match) }
        guard let supply, let identifier = try await supply.supplier(ofRoute: uri, as: kinds) else {
            // Nothing is installed for a request that it could not serve.
            let others = Set(RouteKind.allCases).subtracting(kinds)
            if try await supply?.supplier(ofRoute: uri, as: others) != nil { throw Self.kindError(uri, asked: kinds) }
            throw try await unknown(uri)
        }
        return try await supply.withSupplied(identifier) {
            guard let match = try await self.match(for: uri, as: kinds) else {
                throw AtriumError(.routeUnknown, uri.text, detail: "\(identifier) was installed and does not serve it")
            }
            return try await use(match)
        }
    }

    private func match(for uri: ResourceURI, as kinds: Set<RouteKind>) async throws -> RouteMatch? {
        let matches = try await matches(for: uri)
        if let match = matches.first(where: { kinds.contains($0.route.kind) }) { return match }
        if !matches.isEmpty { throw Self.kindError(uri, asked: kinds) }
        return nil
    }

    /// The kinds of routes that opening reaches; the others are asked for as objects.
    private static let opened: Set<RouteKind> = [.page, .handler]

    private static func kindError(_ uri: ResourceURI, asked kinds: Set<RouteKind>) -> AtriumError {
        let isOpened = kinds.contains(.page)
        let detail =
            isOpened ? "it names an object, which code asks for and nobody opens" : "it names no object; open it"
        return AtriumError(.routeKind, uri.text, detail: detail)
    }

    private func check(_ guards: [String], for uri: ResourceURI) async throws {
        for check in guards {
            let parts = check.split(separator: ".", maxSplits: 1)
            guard parts.count == 2 else {
                throw AtriumError(.routeDenied, uri.text, detail: "\"\(check)\" is no Target.action")
            }
            let allowed = try await mediator.perform(
                String(parts[1]), on: String(parts[0]), ["uri": uri.text], returning: Bool.self
            )
            guard allowed else { throw AtriumError(.routeDenied, uri.text, detail: "\(check) said no") }
        }
    }

    private func resource(
        of match: RouteMatch, uri: ResourceURI, userInfo: ActionParameters
    ) async throws -> Resource {
        // A pattern that takes the fragment takes the fragment's query as well.
        let uri = match.captures.takesFragment ? uri.addingFragmentParameters() : uri
        let (captures, rest) = (match.captures.values, match.captures.rest?.segments ?? [])
        switch match.route.service {
        case .declared(let name, let layout):
            let request = ResourceRequest(
                uri: uri.adding(match.route.parameters), name: name, captures: captures, rest: rest,
                userInfo: userInfo
            )
            let router = leased(to: Lease(owner: match.route.owner))
            return try await accessor.resource(for: request, in: match.route.owner, layout: layout, router: router)
        case .code(let handler):
            let name = match.route.pattern.text
            return try await handler(
                ResourceRequest(uri: uri, name: name, captures: captures, rest: rest, userInfo: userInfo)
            )
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

    private func unknown(_ uri: ResourceURI) async throws -> AtriumError {
        var patterns = try await directory.patterns() + board.load().routes.routes.map(\.pattern.text)
        var detail = ""
        do {
            patterns += try await supply?.patterns() ?? []
        } catch {
            // A catalog that can not be read must not hide that the address is unknown, nor pass for one that was read.
            detail = "none that is installed, and the catalog can not be reached"
        }
        return AtriumError(
            .routeUnknown, uri.text, detail: detail, nearest: AddressSuggestion.nearest(to: uri, in: patterns)
        )
    }
}
