import Console
import PluginCore
import PluginRouter

extension LintRule {
    /// The remedy for every change that breaks callers.
    static let majorVersion = "restore it, or raise the major version (below 1.0.0 the minor version)"

    static let routeRemoved = LintRule(
        "route-removed", .error, "addresses of the last published version lead nowhere, or to another kind of route",
        remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject) else { return [] }
        return change.routes.compactMap { route in
            guard let lost = change.successors(of: route).first(where: { $0.routes.isEmpty }) else { return nil }
            return Problem(
                "routes",
                "no \(route.kind.rawValue) route matches all addresses of \(quoted(route.pattern)) of \(change.version), "
                    + "such as \(quoted(lost.expansion.example))", breaks: change.broken)
        }
    }

    static let routeRestricted = LintRule(
        "route-restricted", .error, "a route of the last published version is exposed to fewer callers",
        remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject) else { return [] }
        return change.routes.compactMap { route in
            let isRestricted = change.successors(of: route).contains { _, routes in
                !routes.isEmpty && !routes.contains { isExposed($0.exposure, like: route.exposure) }
            }
            guard isRestricted else { return nil }
            return Problem(
                "routes", "\(quoted(route.pattern)) was exposed to \(callers(route.exposure)) in \(change.version)",
                breaks: change.broken)
        }
    }

    static func callers(_ exposure: Exposure) -> String {
        switch exposure {
        case .internal: "the plugin itself"
        case .plugins: "other plugins"
        case .external: "external links"
        @unknown default: exposure.rawValue
        }
    }
}
