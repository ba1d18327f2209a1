import PluginCore
import PluginRouter

/// A request among 200 routes with the same first segment compared with ten, and the time to register routes.
struct ServedRoutes {
    private static let few = 10

    let effort: Effort

    private var many: Int { effort.count(200, smoke: 20) }
    private var requests: Int { effort.count(2_000, smoke: 10) }

    func measure(to report: Report) async throws {
        Report.progress("\(many) routes with one first segment")
        try await measureCoded(to: report)
        try await measureRegistering(to: report)
    }

    private func measureCoded(to report: Report) async throws {
        let (few, many) = (try await router(Self.few), try await router(self.many))
        let (measured, compared) = try await Stopwatch(effort: effort).medians {
            try await perRequest { uri in _ = try await many.open(uri, userInfo: [:], presentation: .push) }
        } and: {
            try await perRequest { uri in _ = try await few.open(uri, userInfo: [:], presentation: .push) }
        }
        report.add(.codedRoute, measured, beside: compared)
    }

    private func measureRegistering(to report: Report) async throws {
        let count = effort.count(200, smoke: 10)
        let (patterns, address) = ((0..<count).map(Self.pattern), "app://shop/p0/42")
        let (measured, compared) = try await Stopwatch(effort: effort).medians {
            try await seconds { _ = try await router(count) }
        } and: {
            try await seconds {
                let routes = try patterns.map {
                    try Route(RouteDeclaration(pattern: $0, kind: .handler, name: "handler"), owner: "bench")
                }
                _ = try RouteList(withoutConflicts: routes).matches(for: ResourceURI(address))
            }
        }
        report.add(.registering, measured, beside: compared)
    }

    private static func pattern(_ number: Int) -> String { "shop/p\(number)/:id" }

    /// Returns the seconds per request; the requested addresses also exist among ten routes.
    private func perRequest(_ body: (ResourceURI) async throws -> Void) async throws -> Double {
        let addresses = try (0..<Self.few).map { try ResourceURI("app://shop/p\($0)/42") }
        return try await seconds {
            for number in 0..<requests { try await body(addresses[number % Self.few]) }
        } / Double(requests)
    }

    private func router(_ count: Int) async throws -> Router {
        let router = Router.alone()
        for number in 0..<count {
            try await router.register(Self.pattern(number), kind: .handler, options: RouteOptions()) { _ in
                .object(true)
            }
        }
        return router
    }
}

extension Router {
    /// Returns a router without bundles.
    static func alone() -> Router {
        let nobody = Nobody()
        let mediator = Mediator(
            directory: nobody, provider: nobody, onDemandProvider: nil, registrationStore: RegistrationStore())
        return Router(
            directory: nobody, provider: nobody, mediator: mediator, onDemandProvider: nil, navigator: NoPages(),
            registrationStore: RegistrationStore())
    }
}

/// A directory without manifests and bundles.
struct Nobody: RouteDirectory, TargetDirectory, LoadedBundleProvider {
    func routes(withFirstSegments firstSegments: [String]) async throws -> [Route] { [] }
    func patterns() async throws -> [String] { [] }
    func target(named name: String) async throws -> TargetListing? { nil }
    func targets() async throws -> [String] { [] }
    func loaded(_ identifier: String) async throws -> LoadedBundle {
        throw AtriumError(.bundleNotInstalled, identifier)
    }
    func principal(of identifier: String) async throws -> Principal {
        throw AtriumError(.bundleNotInstalled, identifier)
    }
    func resources(of identifier: String) async throws -> BundleResources { BundleResources(root: "/nonexistent") }
}
