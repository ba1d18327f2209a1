import PluginCore
import PluginRouter

/// A look-up as a request does it, from the text of an address to its route and captures, on the routes of the GitHub API.
struct MatchCost {
    let routes: RouteSet
    /// The Rust program, which prints the nanoseconds that a match takes; `nil` when there is none.
    let matchit: Program?
    let effort: Effort

    func measure(to report: Report) async throws {
        Report.progress("matching")
        let stopwatch = Stopwatch(effort: effort)
        let (list, trie, addresses) = (try routes.list(), routes.dictionaryTrie(), routes.addresses)
        func measureList() async throws -> Double {
            try await stopwatch.perAddress(of: addresses.count) { try Self.look(up: addresses, in: list) }
        }
        func measureTrie() async throws -> Double {
            try await stopwatch.perAddress(of: addresses.count) { Self.look(up: addresses, in: trie) }
        }
        let (measured, compared) = try await stopwatch.medians(of: measureList, and: measureTrie)
        report.add(.matchBesideTrie, measured, beside: compared)
        guard let matchit else {
            return Report.progress("matchit is not measured: Scripts/bench --matchit FOLDER takes a checkout of it")
        }
        let (again, besides) = try await stopwatch.medians(of: measureList) { try matchit.reading() / 1e9 }
        report.add(.match, again, beside: besides)
        let parsed = try addresses.map { try ResourceURI($0) }
        let (split, other) = try await stopwatch.medians {
            try await stopwatch.perAddress(of: parsed.count) { Self.look(up: parsed, in: list) }
        } and: {
            try matchit.reading() / 1e9
        }
        report.add(.matchSplit, split, beside: other)
    }

    /// Looks every address up once, and reads the priority of the route and the name and text of each capture.
    ///
    /// - Returns: a sum of what was read, so that the compiler leaves nothing out.
    @inline(never)
    static func look(up addresses: [String], in list: RouteList) throws -> Int {
        var sum = 0
        for address in addresses { sum &+= read(try ResourceURI(address), in: list) }
        return sum
    }

    @inline(never)
    private static func look(up addresses: [ResourceURI], in list: RouteList) -> Int {
        var sum = 0
        for address in addresses { sum &+= read(address, in: list) }
        return sum
    }

    private static func read(_ uri: ResourceURI, in list: RouteList) -> Int {
        guard let match = list.matches(for: uri).first else { return 0 }
        var sum = match.route.priority
        match.forEachCapture(from: uri) { name, text in sum &+= name.utf8.count &+ text.count }
        return sum &+ 1
    }

    @inline(never)
    private static func look(up addresses: [String], in trie: DictionaryTrie) -> Int {
        var sum = 0
        for address in addresses {
            guard let match = trie.first(for: address) else { continue }
            sum &+= match.value
            for capture in match.captures { sum &+= capture.name.utf8.count &+ capture.text.utf8.count }
        }
        return sum
    }
}
