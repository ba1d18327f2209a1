import PluginCore
import PluginRouter

/// A match with all its captures on the routes of the GitHub API, beside matchit in Rust and beside a trie of dictionaries.
struct MatchCost {
    let routes: RouteSet
    /// The Rust program, which prints the nanoseconds that a match takes; `nil` when there is none.
    let matchit: Program?

    func measure() async throws -> [Figure] {
        let matcher = try routes.matcher()
        let trie = routes.dictionaryTrie()
        let texts = routes.addresses
        let bytes = MatchLoops.Bytes(texts)
        let parsed = try texts.map { try ResourceURI($0) }
        let count = texts.count
        func measureBytes() async throws -> Double {
            try await Stopwatch.perAddress(of: count) { try MatchLoops.bytes(matcher, bytes) }
        }
        func measureTexts() async throws -> Double {
            try await Stopwatch.perAddress(of: count) { try MatchLoops.texts(matcher, texts) }
        }
        func measureParsed() async throws -> Double {
            try await Stopwatch.perAddress(of: count) { MatchLoops.parsed(matcher, parsed) }
        }
        func measureTrie() async throws -> Double {
            try await Stopwatch.perAddress(of: count) { MatchLoops.dictionaryTrie(trie, texts) }
        }
        var figures = [
            try await figure("of a String", "a trie of dictionaries", measureTexts, measureTrie, budget: nil)
        ]
        guard let matchit else { return figures }
        func measureMatchit() async throws -> Double { try matchit.reading() / 1e9 }
        figures += [
            try await figure("of UTF-8 bytes", "matchit in Rust", measureBytes, measureMatchit, budget: 1.5),
            try await figure("of a String", "matchit in Rust", measureTexts, measureMatchit, budget: 1.5),
            try await figure("of a ResourceURI", "matchit in Rust", measureParsed, measureMatchit, budget: nil),
        ]
        return figures
    }

    private func figure(
        _ subject: String, _ baseline: String, _ one: () async throws -> Double, _ other: () async throws -> Double,
        budget: Double?
    ) async throws -> Figure {
        let (measured, compared) = try await Stopwatch.medians(of: one, and: other)
        return Figure(
            name: "match with captures \(subject), \(routes.routes.count) routes", baseline: baseline,
            measured: measured, compared: compared, budget: budget
        )
    }
}
