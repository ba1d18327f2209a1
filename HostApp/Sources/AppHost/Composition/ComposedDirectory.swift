import PluginCore
import PluginRouter
import PluginRuntime

/// The rules of the composition before the routes of the manifests.
struct ComposedDirectory: RouteDirectory {
    let composed: ComposedRoutes
    let registry: Registry

    func routes(withHeads heads: [String]) async throws -> [Route] {
        func mayMatch(_ rule: ComposedRule) -> Bool { !Set(heads).isDisjoint(with: rule.pattern.heads) }
        let rules = try composed.rules.filter(mayMatch).compactMap(route)
        let declared = try registry.routes(withHeads: heads)
        // What a manifest says of a bundle's own address goes before the entry page.
        let taken = Set((rules + declared).flatMap(\.pattern.shapes))
        let entries = composed.entries.filter { mayMatch($0) && taken.isDisjoint(with: $0.pattern.shapes) }
        return rules + declared + (try entries.compactMap(route))
    }

    /// All rules, with what must hold before each, as far as its bundle is there to say; and the entry pages that no route of
    /// a manifest has its own address for.
    func rules() throws -> [(rule: Route, isInstalled: Bool)] {
        let rules = try composed.rules.map { rule in try route(of: rule).map { ($0, true) } ?? (rule.route, false) }
        let taken = Set(try registry.routes().flatMap(\.pattern.shapes))
        let entries = composed.entries.filter { taken.isDisjoint(with: $0.pattern.shapes) }
        return rules + (try entries.compactMap(route).map { ($0, true) })
    }

    func patterns() async throws -> [String] {
        let entries = try composed.entries.compactMap(route).map(\.pattern.text)
        return composed.rules.map(\.pattern.text) + entries + (try registry.patterns())
    }

    /// The route of a rule; `nil` as long as its bundle is not installed.
    private func route(of rule: ComposedRule) throws -> Route? {
        guard let installed = try registry.installed(rule.owner) else { return nil }
        let manifest = try registry.manifest(of: installed.active)
        if rule.target == .entry, manifest.entryPage(registry.converters) == nil { return nil }
        return rule.route(in: manifest, registry.converters)
    }
}
