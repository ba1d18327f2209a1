internal import PluginCore

extension ManifestContract {
    /// Returns the differences between the manifest and the declarations in code.
    func problems(of code: BundleDeclarations) -> [String] {
        code.problems + routeProblems(of: code.routes)
            + Self.problems("action", manifest.targets.flatMap(\.actionNames), code.targets.flatMap(\.actionNames))
            + Self.problems("service", manifest.services, code.services)
    }

    private func routeProblems(of routes: [RouteDeclaration]) -> [String] {
        let declared = manifest.routes.filter { $0.layout == nil }
        let differing = routes.compactMap { route in
            declared.first { $0.pattern == route.pattern }.flatMap { Self.problem(of: $0, with: route) }
        }
        return Self.problems("route", declared.map(\.pattern), routes.map(\.pattern)) + differing
    }

    /// Returns the difference between the two declarations of a route. The exposure is decided in the manifest alone.
    private static func problem(of declared: RouteDeclaration, with code: RouteDeclaration) -> String? {
        let expected = RouteDeclaration(
            pattern: code.pattern, kind: code.kind, name: code.name, guards: code.guards, priority: code.priority,
            exposure: declared.exposure, deadline: code.deadline, mayDecline: code.mayDecline)
        return declared == expected ? nil : "route \(code.pattern) is declared as \(declared), and bound as \(code)"
    }

    private static func problems(_ what: String, _ declared: [String], _ bound: [String]) -> [String] {
        Set(declared).subtracting(bound).sorted().map { "\(what) \($0) is declared and not bound" }
            + Set(bound).subtracting(declared).sorted().map { "\(what) \($0) is bound and not declared" }
    }
}

extension TargetDeclaration {
    fileprivate var actionNames: [String] { actions.map { "\(name).\($0.name)" } }
}
