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
        let texts = AddressTexts(addresses)
        func measureList() async throws -> Double {
            try await stopwatch.perAddress(of: addresses.count) { try Self.look(up: texts, in: list) }
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
        let components = try texts.components()
        let (split, other) = try await stopwatch.medians {
            try await stopwatch.perAddress(of: addresses.count) { Self.look(up: components, of: texts, in: list) }
        } and: {
            try matchit.reading() / 1e9
        }
        report.add(.matchSplit, split, beside: other)
    }

    /// Looks every address up once, and reads the priority of the route and the name and text of each capture.
    ///
    /// - Returns: a sum of what was read, so that the compiler leaves nothing out.
    @inline(never)
    static func look(up addresses: AddressTexts, in list: RouteList) throws -> Int {
        var sum = 0
        for range in addresses.ranges {
            let text = addresses.bytes.span.extracting(range)
            sum &+= read(try ResourceURI.Components(of: text, query: .plain), text, in: list)
        }
        return sum
    }

    @inline(never)
    private static func look(
        up components: [ResourceURI.Components], of addresses: AddressTexts, in list: RouteList
    ) -> Int {
        var sum = 0
        for (components, range) in zip(components, addresses.ranges) {
            sum &+= read(components, addresses.bytes.span.extracting(range), in: list)
        }
        return sum
    }

    /// Borrows the text and the route, as the Rust program does.
    private static func read(_ address: ResourceURI.Components, _ text: Span<UInt8>, in list: RouteList) -> Int {
        guard let match = list.index.matches(for: address, in: text).first else { return 0 }
        var sum = list.routes.span[match.index].priority
        list.index.forEachCapture(of: match, from: address, in: text) { name, text in
            sum &+= name.utf8.count &+ text.count
        }
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

/// The texts of addresses, one after the other.
///
/// A look-up borrows a slice of them, as the Rust program does. A copy of a `String` would count a reference, which matching does not.
struct AddressTexts {
    private(set) var bytes: [UInt8] = []
    private(set) var ranges: [Range<Int>] = []

    init(_ addresses: [String]) {
        for address in addresses {
            let start = bytes.count
            bytes += address.utf8
            ranges.append(start..<bytes.count)
        }
    }

    func components() throws -> [ResourceURI.Components] {
        try ranges.map { try ResourceURI.Components(of: bytes.span.extracting($0), query: .plain) }
    }
}
