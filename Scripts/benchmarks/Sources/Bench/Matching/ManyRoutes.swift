import PluginCore
import PluginRouter

/// The cost of a match in a table of 100,000 routes beside one of 130, and the cost of making a table.
struct ManyRoutes {
    let routes: RouteSet
    let effort: Effort

    private var stopwatch: Stopwatch { Stopwatch(effort: effort) }

    func measure(to report: Report) async throws {
        let count = effort.count(100_000, smoke: 1_000)
        Report.progress("matching among \(count) routes")
        let all = routes.repeated(to: count)
        let (few, many) = (try routes.list(), try all.list())
        func add(_ figure: Figure, _ asked: RouteSet) async throws {
            let (measured, compared) = try await stopwatch.medians {
                try await stopwatch.perAddress(of: asked.addresses.count) {
                    try MatchCost.look(up: asked.addresses, in: many)
                }
            } and: {
                try await stopwatch.perAddress(of: routes.addresses.count) {
                    try MatchCost.look(up: routes.addresses, in: few)
                }
            }
            report.add(figure, measured, beside: compared)
        }
        try await add(.matchSameAddresses, routes)
        try await add(.matchAllOver, all.sample(routes.routes.count))
        // The cost of memory: neither the address nor its routes are in a cache.
        try await add(.matchEachOnce, all.shuffled())
        try await measureBuilding(to: report)
    }

    /// Making a list of routes and the first look-up: what a cold process pays.
    private func measureBuilding(to report: Report) async throws {
        let thousand = routes.repeated(to: 1_000)
        let (parsed, address) = (try thousand.routesOfBundle(), try ResourceURI(thousand.addresses[0]))
        let (measured, compared) = try await stopwatch.medians {
            try await seconds {
                guard !RouteList(parsed).matches(for: address).isEmpty else { throw Stopwatch.NothingFound() }
            }
        } and: {
            await seconds { _ = thousand.dictionaryAndLoop() }
        }
        report.add(.tableBuild, measured, beside: compared)
    }
}
