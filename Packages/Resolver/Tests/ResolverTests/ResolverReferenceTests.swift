import PluginRuntime
import PluginCore
import Testing

@testable import Resolver

@Suite("The resolver compared with an exhaustive search", .tags(.small))
struct ResolverReferenceTests {
    @Test(
        "The resolver finds a plan exactly if one exists, prefers the newest versions, and changes no bundle without need"
    )
    func reference() throws {
        var random = SplitMix(seed: 20)
        var (found, refused, needed) = (0, 0, 0)
        while found + refused + needed < 6_000 {
            var universe = RandomUniverse(using: &random)
            let requests = universe.requests(using: &random)
            guard !requests.isEmpty else { continue }
            let reference = ResolverReference(universe, requests)
            let place = Comment(rawValue: "case \(found + refused + needed): \(requests)")
            let outcome = Result { () throws(AtriumError) in try universe.sample().change(requests) }
            switch outcome {
            case .success(let change):
                found += 1
                try #require(!reference.isNeeded, place)
                let values = Self.values(after: change, universe)
                try #require(reference.isSolution(values), place)
                let requested = requests.map { values[RandomUniverse.names.firstIndex(of: $0.identifier) ?? 0] }
                if let best = reference.best(strictly: true) {
                    try #require(!reference.isBetter(best, than: requested), place)
                }
                if let best = reference.best(strictly: false) {
                    try #require(!reference.isBetter(requested, than: best), place)
                }
                for step in change.steps
                where !requests.contains(where: { $0.identifier == step.identifier }) && step.to != nil {
                    var others = values
                    let bundle = RandomUniverse.names.firstIndex(of: step.identifier) ?? 0
                    others[bundle] = universe.installed[bundle]
                    try #require(!reference.isSolution(others), place)
                }
                try #require(Self.isOrdered(change, universe), place)
            case .failure(let error) where error.code == .bundleNeeded:
                needed += 1
                try #require(reference.isNeeded && !error.problems.isEmpty, place)
            case .failure(let error):
                refused += 1
                let known: [AtriumError.Code] = [.dependencyConflict, .requirementUnmet, .init("packageInvalid")]
                try #require(known.contains(error.code), place)
                try #require(error.reason == nil || error.code == .requirementUnmet, place)
                try #require(!error.problems.isEmpty || error.code != .dependencyConflict, place)
                try #require(!reference.isNeeded && reference.best(strictly: true) == nil, place)
            }
        }
        // Guards against a reference and a resolver that always give the same answer.
        #expect(found > 1_000 && refused > 1_000 && needed > 50, "\(found) found, \(refused) refused, \(needed) needed")
    }

    private static func values(after change: ResolvedChange, _ universe: RandomUniverse) -> [Int] {
        var values = universe.installed
        for step in change.steps {
            guard let bundle = RandomUniverse.names.firstIndex(of: step.identifier) else { continue }
            values[bundle] = step.to.map(universe.value) ?? 0
        }
        return values
    }

    /// Returns whether each added or changed bundle follows its requirements, except in a cycle.
    private static func isOrdered(_ change: ResolvedChange, _ universe: RandomUniverse) -> Bool {
        let arrivals = change.steps.filter { $0.to != nil }.compactMap {
            RandomUniverse.names.firstIndex(of: $0.identifier)
        }
        let values = values(after: change, universe)
        func needs(_ bundle: Int) -> [Int] {
            universe.needs[bundle][values[bundle]].filter { !$0.isOnDemand && arrivals.contains($0.bundle) }.map(
                \.bundle)
        }
        func reaches(_ bundle: Int, _ other: Int) -> Bool {
            var seen: Set<Int> = [bundle]
            var open = [bundle]
            while let next = open.popLast() {
                for need in needs(next) where seen.insert(need).inserted { open.append(need) }
            }
            return bundle != other && seen.contains(other)
        }
        return arrivals.indices.allSatisfy { place in
            arrivals[(place + 1)...].allSatisfy { later in
                !needs(arrivals[place]).contains(later) || reaches(later, arrivals[place])
            }
        }
    }
}
