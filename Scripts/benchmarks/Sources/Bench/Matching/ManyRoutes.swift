import PluginRouter

/// A match in a table of 100,000 routes compared with one of 130, and the time to build a table.
struct ManyRoutes {
    let routes: RouteSet
    let effort: Effort

    private var stopwatch: Stopwatch { Stopwatch(effort: effort) }

    func measure(to report: Report) async throws {
        let count = effort.count(100_000, smoke: 1_000)
        Report.progress("matching among \(count) routes")
        let all = routes.repeated(to: count)
        let (few, many) = (try routes.matcher(), try all.matcher())
        func add(_ figure: Figure, _ asked: RouteSet) async throws {
            let (one, other) = (MatchLoops.Bytes(asked.addresses), MatchLoops.Bytes(routes.addresses))
            let (measured, compared) = try await stopwatch.medians {
                try await stopwatch.perAddress(of: one.ends.count) { try MatchLoops.bytes(many, one) }
            } and: {
                try await stopwatch.perAddress(of: other.ends.count) { try MatchLoops.bytes(few, other) }
            }
            report.add(figure, measured, beside: compared)
        }
        try await add(.matchSameAddresses, routes)
        try await add(.matchAllOver, all.sample(routes.routes.count))
        // In random order, each address and its part of the table must be fetched from memory.
        try await add(.matchEachOnce, all.shuffled())
        try await measureBuilding(to: report)
    }

    /// Measures the cost of adding or removing a bundle, for which all routes are put into a new table.
    private func measureBuilding(to report: Report) async throws {
        let thousand = routes.repeated(to: 1_000)
        let patterns = try thousand.patterns.map { try RoutePattern($0) }
        let (measured, compared) = try await stopwatch.medians {
            try await seconds {
                var builder = RouteTableBuilder<Int>()
                for (number, pattern) in patterns.enumerated() {
                    try builder.add(pattern, owner: "bench", value: number)
                }
                guard try builder.build().first(for: thousand.addresses[0]) != nil else {
                    throw Stopwatch.NothingFound()
                }
            }
        } and: {
            await seconds { _ = thousand.dictionaryTrie() }
        }
        report.add(.tableBuild, measured, beside: compared)
    }
}
