import Console
import PluginCore
import PluginRouter

extension LintRule {
    static let routeShadowed = Self("route-shadowed", .error) { subject in
        guard let manifest = subject.manifest else { return [] }
        let list = RouteCoverage.list(of: [manifest])
        return list.routes.compactMap { route in
            let winners = route.pattern.expansions.map { winner(over: $0, of: route, in: list) }
            guard let winner = winners.first ?? nil, winners.allSatisfy({ $0 != nil }) else { return nil }
            return Problem(
                "manifest.json",
                "\(quoted(route.pattern.text)) is never chosen, because \(quoted(winner.pattern.text)) comes first")
        }
    }

    /// Returns the route that is asked before another one for all addresses of an expansion, and handles them.
    private static func winner(
        over expansion: RoutePattern.Expansion, of route: Route, in list: RouteList
    ) -> Route? {
        let example = expansion.scheme == nil ? "app://" + expansion.example : expansion.example
        guard let uri = try? ResourceURI(example) else { return nil }
        return list.matches(for: uri).map(\.route).prefix { $0 !== route }.first { other in
            other.kind == route.kind && !other.mayDecline && isExposed(other.exposure, like: route.exposure)
                && other.pattern.expansions.contains { RouteCoverage.covers($0, expansion) }
        }
    }

    /// Returns whether an exposure admits all callers of another one.
    static func isExposed(_ exposure: Exposure, like other: Exposure) -> Bool {
        let order: [Exposure] = [.internal, .plugins, .external]
        return (order.firstIndex(of: exposure) ?? 0) >= (order.firstIndex(of: other) ?? 0)
    }

    static let routeUnlinked = Self("route-unlinked", .warning) { subject in
        guard let manifest = subject.manifest, let usage = SourceUsage(of: subject) else { return [] }
        let linked = links(in: subject).flatMap(\.samples)
        return manifest.routes.enumerated().compactMap { index, declaration in
            guard declaration.exposure == .internal, !usage.mentions(declaration.pattern),
                !usage.mentions("app://" + declaration.pattern),
                let route = RouteCoverage.route(declaration, of: manifest),
                !linked.contains(where: { !RouteList([route]).matches(for: $0).isEmpty })
            else { return nil }
            return Problem("routes[\(index)]", "nothing in the plugin opens \(quoted(declaration.pattern))")
        }
    }

    static let contractUnbound = Self("contract-unbound", .error) { subject in
        guard let manifest = subject.manifest, let sources = subject.sources else { return [] }
        let code = sources.map(SourceUsage.withoutComments)
        // Code that registers routes may bind its contracts while it runs.
        let isDynamic = code.contains { $0.contains(/\.register\(/) }
        let own = RouteCoverage.list(of: [manifest]).routes.map(\.pattern)
        let beginnings = Set(own.flatMap(\.firstSegments)).subtracting([""])
        let routes = code.flatMap {
            $0.matches(of: /\b(?:Page|Value|Handler)Route(?:<[^("]*>)?\(\s*"([^"\\]+)"/).map { String($0.1) }
        }
        var unbound = routes.filter { pattern in
            let declaration = RouteDeclaration(pattern: pattern, kind: .page, name: pattern)
            guard !isDynamic, let route = RouteCoverage.route(declaration, of: manifest)?.pattern,
                route.firstSegments.contains(where: beginnings.contains)
            else { return false }
            return !route.expansions.allSatisfy { expansion in
                own.contains { $0.expansions.contains { RouteCoverage.covers($0, expansion) } }
            }
        }
        for text in code {
            let call = /ActionContract(?:<[^("]*>)?\(\s*(?:uncoded:\s*)?"([^"\\]+)"\s*,\s*on:\s*"([^"\\]+)"/
            for (_, action, name) in text.matches(of: call).map(\.output) {
                let target = manifest.targets.first { $0.name == name }
                if let target, !target.actions.contains(where: { $0.name == action }) {
                    unbound.append("\(name).\(action)")
                }
            }
        }
        return Set(unbound).sorted().map {
            Problem("Sources", "the contract \(quoted($0)) is the plugin's own, and nothing binds it")
        }
    }
}

/// Decides whether routes match all addresses that another one matches.
enum RouteCoverage {
    /// Returns the routes of manifests. Those whose patterns cannot be read are left out.
    static func list(of manifests: [Manifest]) -> RouteList {
        RouteList(manifests.flatMap { manifest in manifest.routes.compactMap { route($0, of: manifest) } })
    }

    /// Returns a route with the converters of any host.
    static func route(_ declaration: RouteDeclaration, of manifest: Manifest) -> Route? {
        var converters = RouteConverters.standard
        for piece in declaration.pattern.split(separator: "<").dropFirst() {
            let name = String(piece.prefix { $0 != ">" })
            // Only a host knows the texts that its converter accepts.
            if converters[name] == nil { converters.register(RouteConverter(name, example: "1") { _ in true }) }
        }
        return try? Route(declaration, owner: manifest.identity.identifier.text, converters: converters)
    }

    /// Returns whether an expansion matches all addresses that another one matches.
    static func covers(_ one: RoutePattern.Expansion, _ other: RoutePattern.Expansion) -> Bool {
        if one.canonicalKey == other.canonicalKey { return true }
        guard one.scheme == nil || one.scheme == other.scheme, covers(one.path[...], other.path[...]) else {
            return false
        }
        guard let fragment = one.fragment else { return true }
        return other.fragment.map { covers(fragment[...], $0[...]) } ?? false
    }

    private static func covers(
        _ one: ArraySlice<RoutePattern.Segment>, _ other: ArraySlice<RoutePattern.Segment>
    ) -> Bool {
        switch (one.first, other.first) {
        case (.rest, _), (nil, nil): true
        case (nil, _), (_, nil), (_, .rest): false
        case (let mine?, let theirs?): covers(mine, theirs) && covers(one.dropFirst(), other.dropFirst())
        }
    }

    private static func covers(_ one: RoutePattern.Segment, _ other: RoutePattern.Segment) -> Bool {
        switch (one, other) {
        // No segment that is captured is empty, and an empty literal never matches.
        case (.capture, _), (.any, _): true
        case (.typed(_, let mine), .typed(_, let theirs)): mine.name == theirs.name || mine.name == "string"
        case (.typed(_, let mine), _): mine.name == "string"
        case (.partial(let mine), .partial(let theirs)): mine.literals == theirs.literals
        default: one == other
        }
    }
}
