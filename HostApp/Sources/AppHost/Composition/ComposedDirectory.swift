import PluginCore
import PluginRouter
import PluginRuntime

/// The rules of the composition before the routes of the manifests.
struct ComposedDirectory: RouteDirectory {
    let composed: ComposedRoutes
    let registry: Registry

    func routes(withHeads heads: [String]) async throws -> [Route] {
        let matching = composed.routes.filter { !Set(heads).isDisjoint(with: $0.pattern.heads) }
        return try guarded(matching).filter(\.isInstalled).map(\.rule) + registry.routes(withHeads: heads)
    }

    /// All rules, with what must hold before each, as far as its bundle is there to say.
    func rules() throws -> [(rule: Route, isInstalled: Bool)] {
        try guarded(composed.routes)
    }

    func patterns() async throws -> [String] {
        composed.routes.map(\.pattern.text) + (try registry.patterns())
    }

    private func guarded(_ rules: [Route]) throws -> [(rule: Route, isInstalled: Bool)] {
        try rules.map { rule in
            guard let installed = try registry.installed(rule.owner) else { return (rule, false) }
            let manifest = try registry.manifest(of: installed.active)
            return (rule.guarded(by: Self.guards(of: rule, in: manifest)), true)
        }
    }

    /// What must hold before the page opens under its own address: another address is no way around it.
    private static func guards(of rule: Route, in manifest: Manifest) -> [String] {
        guard case .declared(let name, let layout) = rule.service else { return [] }
        let declarations = manifest.routes.filter { declaration in
            layout.map { declaration.layout == $0 } ?? (declaration.layout == nil && declaration.name == name)
        }
        return declarations.flatMap(\.guards).reduce(into: []) { guards, next in
            if !guards.contains(next) { guards.append(next) }
        }
    }
}

extension Route {
    fileprivate func guarded(by guards: [String]) -> Route {
        Route(
            pattern: pattern, kind: kind, owner: owner, guards: guards, service: service, parameters: parameters
        )
    }
}
