import FoundationEssentials
import PluginCore
import PluginRouter
import PluginRuntime

/// What a request costs when 10,000 routes start like its address, beside ten; and what it costs to register routes.
struct ServedRoutes {
    private static let (few, many, registered) = (10, 10_000, 5_000)
    private static let requests = 2_000

    let workshop: Workshop

    func measure() async throws -> [Figure] {
        [try await coded(), try await declared(), try await registering()]
    }

    private func coded() async throws -> Figure {
        let (few, many) = (try await router(Self.few), try await router(Self.many))
        let (measured, compared) = try await Stopwatch.medians {
            try await Self.perRequest { uri in _ = try await many.open(uri, userInfo: [:], presentation: .push) }
        } and: {
            try await Self.perRequest { uri in _ = try await few.open(uri, userInfo: [:], presentation: .push) }
        }
        return Figure(
            name: "open of a coded handler among 10,000 routes under one head", baseline: "among 10",
            measured: measured, compared: compared, budget: 2)
    }

    private func declared() async throws -> Figure {
        let (few, many) = (try await registry(Self.few), try await registry(Self.many))
        let (measured, compared) = try await Stopwatch.medians {
            try await Self.perRequest { try await Self.requireOne(many, $0) }
        } and: {
            try await Self.perRequest { try await Self.requireOne(few, $0) }
        }
        return Figure(
            name: "the route of a manifest among 10,000 under one head", baseline: "among 10", measured: measured,
            compared: compared, budget: 2)
    }

    private func registering() async throws -> Figure {
        let patterns = (0..<Self.registered).map(Self.pattern)
        let (measured, compared) = try await Stopwatch.medians {
            try await seconds { _ = try await router(Self.registered) }
        } and: {
            try await seconds {
                var builder = RouteTableBuilder<Int>()
                for pattern in patterns { try builder.add(try RoutePattern(pattern), owner: "bench", value: 0) }
                _ = builder.build()
            }
        }
        return Figure(
            name: "register 5,000 routes of code one by one", baseline: "make one table of them", measured: measured,
            compared: compared, budget: nil)
    }

    private static func pattern(_ number: Int) -> String { "shop/p\(number)/:id" }

    private static func requireOne(_ registry: Registry, _ uri: ResourceURI) async throws {
        guard try await registry.matches(for: uri).count == 1 else { throw Stopwatch.NothingFound() }
    }

    /// Seconds a request; what is asked for is there with ten routes too.
    private static func perRequest(_ body: (ResourceURI) async throws -> Void) async throws -> Double {
        let addresses = try (0..<few).map { try ResourceURI("app://shop/p\($0)/42") }
        return try await seconds {
            for number in 0..<requests { try await body(addresses[number % few]) }
        } / Double(requests)
    }

    private func router(_ count: Int) async throws -> Router {
        let nobody = Nobody()
        let mediator = Mediator(directory: nobody, provider: nobody, supply: nil, board: LeaseBoard())
        let router = Router(
            directory: nobody, provider: nobody, mediator: mediator, supply: nil, navigator: NoPages(),
            board: LeaseBoard())
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
        let routes = (0..<count).map { "{\"pattern\": \"\(Self.pattern($0))\", \"page\": \"p\", \"layout\": \"a/b\"}" }
        let identifier = "\(BenchTeam.identifier).served"
        let manifest = """
            {"formatVersion": 1, "identifier": "\(identifier)", "version": "1.0.0", "name": "Served",
             "kind": "assets", "routes": [\(routes.joined(separator: ", "))]}
            """
        let manager = try workshop.manager("served-\(count)", catalog: catalog)
        try await manager.install(packageAt: try workshop.team.pack(identifier, manifest: manifest, to: catalog))
        return manager.registry
    }
}

/// No manifest, no bundle.
private struct Nobody: RouteDirectory, TargetDirectory, LoadedBundleProvider {
    func routes(withHeads heads: [String]) async throws -> [Route] { [] }
    func patterns() async throws -> [String] { [] }
    func target(named name: String) async throws -> TargetListing? { nil }
    func targets() async throws -> [String] { [] }
    func loaded(_ identifier: String) async throws -> LoadedBundle {
        throw AtriumError(.bundleNotInstalled, identifier)
    }
    func principal(of identifier: String) async throws -> any BundleDelegate {
        throw AtriumError(.bundleNotInstalled, identifier)
    }
    func resources(of identifier: String) async throws -> BundleResources { BundleResources(root: "/nonexistent") }
}
