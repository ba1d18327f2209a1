import PluginCore
import PluginRouter

/// A match with captures on the routes of the GitHub API, compared with matchit in Rust and with a trie of dictionaries.
struct MatchCost {
    let routes: RouteSet
    /// The Rust program that prints the nanoseconds of a match; `nil` if there is none.
    let matchit: Program?
    let effort: Effort

    func measure(to report: Report) async throws {
        Report.progress("matching")
        let stopwatch = Stopwatch(effort: effort)
        let matcher = try routes.matcher()
        let trie = routes.dictionaryTrie()
        let texts = routes.addresses
        let bytes = MatchLoops.Bytes(texts)
        let parsed = try texts.map { try ResourceURI($0) }
        let count = texts.count
        func measureBytes() async throws -> Double {
            try await stopwatch.perAddress(of: count) { try MatchLoops.bytes(matcher, bytes) }
        }
        func measureTexts() async throws -> Double {
            try await stopwatch.perAddress(of: count) { try MatchLoops.texts(matcher, texts) }
        }
        func measureParsed() async throws -> Double {
            try await stopwatch.perAddress(of: count) { MatchLoops.parsed(matcher, parsed) }
        }
        func measureTrie() async throws -> Double {
            try await stopwatch.perAddress(of: count) { MatchLoops.dictionaryTrie(trie, texts) }
        }
        func add(
            _ figure: Figure, _ one: () async throws -> Double, _ other: () async throws -> Double
        ) async throws {
            let (measured, compared) = try await stopwatch.medians(of: one, and: other)
            report.add(figure, measured, beside: compared)
        }
        try await add(.matchBesideTrie, measureTexts, measureTrie)
        guard let matchit else {
            return Report.progress("matchit is not measured: Scripts/bench --matchit FOLDER takes a checkout of it")
        }
        func measureMatchit() async throws -> Double { try matchit.reading() / 1e9 }
        try await add(.matchBytes, measureBytes, measureMatchit)
        try await add(.matchString, measureTexts, measureMatchit)
        try await add(.matchURI, measureParsed, measureMatchit)
    }
}
