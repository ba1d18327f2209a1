import PluginCore
import PluginRouter

/// The routes of installed bundles without their guards, so that a guard that nobody answers does not hide a page.
struct UnguardedRoutes: RouteDirectory {
    let declared: any RouteDirectory

    func routes(withFirstSegments firstSegments: [String]) async throws -> [Route] {
        try await declared.routes(withFirstSegments: firstSegments).map { route in
            Route(
                pattern: route.pattern, kind: route.kind, owner: route.owner, service: route.service,
                parameters: route.parameters, priority: route.priority, exposure: route.exposure,
                deadline: route.deadline, mayDecline: route.mayDecline)
        }
    }

    func patterns() async throws -> [String] { try await declared.patterns() }

    func isSameTeam(_ owner: String, _ other: String) async throws -> Bool {
        try await declared.isSameTeam(owner, other)
    }
}
