import Registry
import PluginCore
import PluginRouter
import PluginRuntime

/// A route directory that puts the rules of the composition before the routes of the manifests.
struct ComposedDirectory: RouteDirectory {
    let composed: ComposedRoutes
    let registry: Registry

    func routes(withFirstSegments firstSegments: [String]) async throws -> [Route] {
        func mayMatch(_ rule: ComposedRule) -> Bool { !Set(firstSegments).isDisjoint(with: rule.pattern.firstSegments) }
        let rules = try composed.rules.filter(mayMatch).compactMap(route)
        let declared = try registry.routes.routes(withFirstSegments: firstSegments)
        // A route that a manifest declares for the bundle's own address takes precedence over the entry page.
        let taken = Set((rules + declared).flatMap(\.pattern.canonicalKeys))
        let entries = composed.entries.filter { mayMatch($0) && taken.isDisjoint(with: $0.pattern.canonicalKeys) }
        return rules + declared + (try entries.compactMap(route))
    }

    func matches(for uri: ResourceURI) async throws -> [RouteMatch] {
        let rules = try composed.rules(matching: uri).compactMap(routeMatch)
        let declared = try await registry.routes.matches(for: uri)
        // An entry's pattern is a single literal, so a route with the same canonical key matches the same addresses.
        let taken = Set((rules + declared).flatMap(\.route.pattern.canonicalKeys))
        let entries = composed.entries(matching: uri).filter { taken.isDisjoint(with: $0.rule.pattern.canonicalKeys) }
        return RouteMatch.joined(rules, declared, try entries.compactMap(routeMatch), for: uri)
    }

    /// Returns all rules and the entry pages whose address no manifest declares.
    ///
    /// Each rule contains the guards of its page if its bundle is installed.
    func rules() throws -> [(rule: Route, isInstalled: Bool)] {
        let rules = try composed.rules.map { rule in try route(of: rule).map { ($0, true) } ?? (rule.route, false) }
        let taken = Set(try registry.routes.all().flatMap(\.pattern.canonicalKeys))
        let entries = composed.entries.filter { taken.isDisjoint(with: $0.pattern.canonicalKeys) }
        return rules + (try entries.compactMap(route).map { ($0, true) })
    }

    func patterns() async throws -> [String] {
        let entries = try composed.entries.compactMap(route).map(\.pattern.text)
        return composed.rules.map(\.pattern.text) + entries + (try registry.routes.patterns())
    }

    private func routeMatch(of rule: ComposedRule, _ match: PatternMatch) throws -> RouteMatch? {
        try route(of: rule).map { RouteMatch($0, match) }
    }

    /// Returns the route of a rule; `nil` while its bundle is not installed.
    private func route(of rule: ComposedRule) throws -> Route? {
        guard let installed = try registry.active.bundle(rule.owner) else { return nil }
        let manifest = try registry.versions.manifest(of: installed.active)
        if rule.target == .entry, manifest.entryPage(registry.converters) == nil { return nil }
        return rule.route(in: manifest, registry.converters)
    }
}
