import PluginRouter

/// What a match costs in a table of 100,000 routes, beside one of 130; and what it costs to make a table.
struct ManyRoutes {
    private static let many = 100_000

    let routes: RouteSet

    func measure() async throws -> [Figure] {
        let all = routes.repeated(to: Self.many)
        let (few, many) = (try routes.matcher(), try all.matcher())
        return [
            try await figure("the same addresses", few, many, routes, budget: 2),
            try await figure("as many addresses from all over", few, many, all.sample(routes.routes.count), budget: 2),
            // What memory costs: each address and its way through the table come from far away.
            try await figure("each of them once", few, many, all.shuffled(), budget: nil),
            try await building(),
        ]
    }

    private func figure(
        _ subject: String, _ few: RouteMatcher<Int>, _ many: RouteMatcher<Int>, _ asked: RouteSet, budget: Double?
    ) async throws -> Figure {
        let (one, other) = (MatchLoops.Bytes(asked.addresses), MatchLoops.Bytes(routes.addresses))
        let (measured, compared) = try await Stopwatch.medians {
            try await Stopwatch.perAddress(of: one.ends.count) { try MatchLoops.bytes(many, one) }
        } and: {
            try await Stopwatch.perAddress(of: other.ends.count) { try MatchLoops.bytes(few, other) }
        }
        return Figure(
            name: "match in 100,000 routes, \(subject)", baseline: "in 130 routes", measured: measured,
            compared: compared, budget: budget
        )
    }

    /// What a bundle that comes or goes costs the others: all routes are put into a new table.
    private func building() async throws -> Figure {
        let thousand = routes.repeated(to: 1_000)
        let patterns = try thousand.patterns.map { try RoutePattern($0) }
        let (measured, compared) = try await Stopwatch.medians {
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
        return Figure(
            name: "make a table of 1,000 routes", baseline: "a trie of dictionaries", measured: measured,
            compared: compared, budget: nil
        )
    }
}
