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
        let (list, loop, addresses) = (try routes.list(), routes.dictionaryAndLoop(), routes.addresses)
        func measureList() async throws -> Double {
            try await stopwatch.perAddress(of: addresses.count) { try Self.look(up: addresses, in: list) }
        }
        func measureLoop() async throws -> Double {
            try await stopwatch.perAddress(of: addresses.count) { Self.look(up: addresses, in: loop) }
        }
        let (measured, compared) = try await stopwatch.medians(of: measureList, and: measureLoop)
        report.add(.matchBesideLoop, measured, beside: compared)
        guard let matchit else {
            return Report.progress("matchit is not measured: Scripts/bench --matchit FOLDER takes a checkout of it")
        }
        let (again, besides) = try await stopwatch.medians(of: measureList) { try matchit.reading() / 1e9 }
        report.add(.match, again, beside: besides)
    }

    /// Looks every address up once, and reads the priority of the route and the name and text of each capture.
    ///
    /// - Returns: a sum of what was read, so that the compiler leaves nothing out.
    @inline(never)
    static func look(up addresses: [String], in list: RouteList) throws -> Int {
        var sum = 0
        for address in addresses {
            let uri = try ResourceURI(address)
            guard let match = list.matches(for: uri).first else { continue }
            sum &+= match.route.priority &+ 1
            for capture in match.captures(from: uri).values.items {
                sum &+= capture.name.utf8.count &+ capture.value.utf8.count
            }
        }
        return sum
    }

    @inline(never)
    private static func look(up addresses: [String], in loop: DictionaryAndLoop) -> Int {
        var sum = 0
        for address in addresses {
            guard let match = loop.first(for: address) else { continue }
            sum &+= match.value
            for capture in match.captures { sum &+= capture.name.utf8.count &+ capture.text.utf8.count }
        }
        return sum
    }
}
