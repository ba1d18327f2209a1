import PluginCore
import PluginRouter
import PluginRuntime

/// The rules of the composition before the routes of the manifests.
struct ComposedDirectory: RouteDirectory {
    let composed: ComposedRoutes
    let registry: Registry

    func routes(withHeads heads: [String]) async throws -> [Route] {
        var rules: [Route] = []
        for route in composed.routes where !Set(heads).isDisjoint(with: route.pattern.heads) {
            guard let installed = try registry.installed(route.owner) else { continue }
            let manifest = try registry.manifest(of: installed.active)
            rules.append(route.guarded(by: Self.guards(of: route, in: manifest)))
        }
        return rules + (try registry.routes(withHeads: heads))
    }

    func patterns() async throws -> [String] {
        composed.routes.map(\.pattern.text) + (try registry.patterns())
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
