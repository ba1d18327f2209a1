import FoundationEssentials
import PluginCore
import PluginRouter
import Registry
import PluginRuntime

/// A request among 10,000 routes with the same first segment compared with ten, and the time to register routes.
struct ServedRoutes {
    private static let few = 10
    /// The number of routes per bundle; a manifest may have at most 8,192.
    private static let perBundle = 5_000

    let workshop: Workshop
    let effort: Effort

    private var many: Int { effort.count(10_000, smoke: 20) }
    private var requests: Int { effort.count(2_000, smoke: 10) }

    func measure(to report: Report) async throws {
        Report.progress("\(many) routes with one first segment")
        try await measureCoded(to: report)
        try await measureDeclared(to: report)
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

    private func measureDeclared(to report: Report) async throws {
        let (few, many) = (try await registry(Self.few), try await registry(self.many))
        let (measured, compared) = try await Stopwatch(effort: effort).medians {
            try await perRequest { try await Self.requireOne(many, $0) }
        } and: {
            try await perRequest { try await Self.requireOne(few, $0) }
        }
        report.add(.declaredRoute, measured, beside: compared)
    }

    private func measureRegistering(to report: Report) async throws {
        let count = effort.count(5_000, smoke: 10)
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

    private static func requireOne(_ registry: Registry, _ uri: ResourceURI) async throws {
        guard try await registry.routes.matches(for: uri).count == 1 else { throw Stopwatch.NothingFound() }
    }

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

    private func registry(_ count: Int) async throws -> Registry {
        let catalog = workshop.folder.appending("served-\(count)-catalog")
        try FileManager.default.createDirectory(atPath: catalog.string, withIntermediateDirectories: true)
        let manager = try workshop.manager("served-\(count)", catalog: catalog)
        for start in stride(from: 0, to: count, by: Self.perBundle) {
            let routes = (start..<min(start + Self.perBundle, count)).map {
                "{\"pattern\": \"\(Self.pattern($0))\", \"page\": \"p\", \"layout\": \"a/b\"}"
            }
            let identifier = try BenchTeam.bundle("served.n\(start)")
            let manifest = """
                {"formatVersion": 1, "identifier": "\(identifier)", "version": "1.0.0", "name": "Served",
                 "kind": "assets", "routes": [\(routes.joined(separator: ", "))]}
                """
            try await manager.transactions.install.run(
                packageAt: try workshop.team.pack(identifier, manifest: manifest, to: catalog))
        }
        return manager.registry
    }
}

extension Router {
    /// Returns a router without bundles.
    static func alone() -> Router {
        let nobody = Nobody()
        let mediator = Mediator(
            bundles: nobody, onDemandProvider: nil, registrationStore: RegistrationStore())
        return Router(
            directory: nobody, bundles: nobody, mediator: mediator, onDemandProvider: nil, navigator: NoPages(),
            registrationStore: RegistrationStore())
    }
}

/// A directory without manifests and bundles.
struct Nobody: RouteDirectory, InstalledBundles {
    func routes(withFirstSegments firstSegments: [String]) async throws -> [Route] { [] }
    func patterns() async throws -> [String] { [] }
    func target(named name: String) async throws -> TargetListing? { nil }
    func targetNames() async throws -> [String] { [] }
    func loaded(_ identifier: String) async throws -> LoadedBundle {
        throw AtriumError(.bundleNotInstalled, identifier)
    }
    func owner(ofService name: String) async throws -> String? { nil }
    func serviceNames() async throws -> [String] { [] }
    func resources(of identifier: String) async throws -> BundleResources { BundleResources(root: "/nonexistent") }
}
