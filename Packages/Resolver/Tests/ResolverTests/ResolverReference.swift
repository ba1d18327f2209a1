import PluginRuntime
import PluginCore

/// An exhaustive search that the resolver's answers are compared with.
///
/// A bundle's value is 0 if it is absent, otherwise the number of its version. Sets of values are bits.
struct ResolverReference {
    let universe: RandomUniverse
    let requests: [ChangeRequest]
    /// The bundles to remove, which need no search.
    private(set) var gone: Set<Int> = []
    /// A Boolean value that indicates whether a removal is blocked because a remaining bundle needs the removed one.
    private(set) var isNeeded = false
    private var domains: [[Int]] = []
    /// The values that each value of each bundle allows other bundles to have.
    private var demands: [[[(bundle: Int, values: Int)]]] = []

    init(_ universe: RandomUniverse, _ requests: [ChangeRequest]) {
        (self.universe, self.requests) = (universe, requests)
        resolveRemovals()
        for bundle in 0..<RandomUniverse.bundles {
            domains.append(domain(of: bundle))
            demands.append((0...RandomUniverse.versions.count).map { demands(of: bundle, $0) })
        }
    }

    private func request(_ bundle: Int) -> ChangeRequest? {
        requests.first { $0.identifier == RandomUniverse.names[bundle] }
    }

    private mutating func resolveRemovals() {
        var cascading: Set<Int> = []
        var plain: Set<Int> = []
        for bundle in 0..<RandomUniverse.bundles {
            if let request = request(bundle), request.kind == .remove {
                if request.isCascade { cascading.insert(bundle) } else { plain.insert(bundle) }
            }
        }
        var isStable = false
        while !isStable {
            let more = (0..<RandomUniverse.bundles).filter { request($0) == nil && !cascading.contains($0) }
                .filter { bundle in cascading.contains { isNeeding(bundle, $0) } }
            cascading.formUnion(more)
            isStable = more.isEmpty
        }
        gone = cascading.union(plain)
        isNeeded = plain.contains { other in
            (0..<RandomUniverse.bundles).contains { request($0) == nil && !gone.contains($0) && isNeeding($0, other) }
        }
    }

    /// Returns whether an installed bundle needs another one eagerly and its requirement is met.
    private func isNeeding(_ bundle: Int, _ other: Int) -> Bool {
        let value = universe.installed[bundle]
        return value > 0
            && universe.needs[bundle][value].contains {
                !$0.isOnDemand && $0.bundle == other && $0.values & (1 << universe.installed[other]) != 0
            }
    }

    private func domain(of bundle: Int) -> [Int] {
        if gone.contains(bundle) { return [0] }
        let current = universe.installed[bundle]
        let open = universe.open(bundle).filter { $0 > current && !universe.broken[bundle].contains($0) }
        if let version = request(bundle)?.version { return [universe.value(version)] }
        // Better values come first; a pre-release that must be requested comes last.
        let early = open.filter { isEarly(bundle, $0) }
        let plain = Array(open.filter { !isEarly(bundle, $0) }.reversed())
        return plain + (request(bundle) != nil && current == 0 ? [] : [current]) + early.reversed()
    }

    /// Returns whether a version is a pre-release that is chosen only on request.
    private func isEarly(_ bundle: Int, _ value: Int) -> Bool {
        let current = universe.installed[bundle]
        guard value > 0, value != current, request(bundle)?.version == nil,
            !RandomUniverse.versions[value - 1].prerelease.isEmpty
        else { return false }
        let releases = universe.open(bundle).filter { RandomUniverse.versions[$0 - 1].prerelease.isEmpty }
        return current > 0 || !releases.isEmpty
    }

    /// Returns whether a requested or changed bundle has a range that contains the version.
    ///
    /// It isn't checked whether that bundle itself has a reason to change.
    private func isAskedFor(_ bundle: Int, _ values: [Int]) -> Bool {
        values.indices.contains { other in
            guard other != bundle, values[other] > 0,
                request(other) != nil || values[other] != universe.installed[other]
            else {
                return false
            }
            return universe.needs[other][values[other]].contains {
                $0.bundle == bundle && $0.values & (1 << values[bundle]) != 0
            }
        }
    }

    private func demands(of bundle: Int, _ value: Int) -> [(bundle: Int, values: Int)] {
        guard value > 0 else { return [] }
        var isStrict = value != universe.installed[bundle]
        if request(bundle)?.kind == .install { isStrict = true }
        return universe.needs[bundle][value].compactMap { need in
            let values = satisfying(need)
            guard isStrict || values & (1 << universe.installed[need.bundle]) != 0 else { return nil }
            return (need.bundle, values)
        }
    }

    /// Returns the values that satisfy a requirement.
    private func satisfying(_ need: RandomUniverse.Need) -> Int {
        guard need.isOnDemand else { return need.values }
        guard !gone.contains(need.bundle) else { return ~0 }
        return (0...RandomUniverse.versions.count).reduce(need.values) { values, value in
            let canCome = universe.open(need.bundle).contains { $0 > value && need.values & (1 << $0) != 0 }
            return canCome ? values | 1 << value : values
        }
    }

    /// Returns whether each bundle has a value from its domain and its requirements are met.
    ///
    /// - Parameter isStrict: `true` to rule out pre-releases that must be requested, even if another bundle requests
    ///   them.
    func isSolution(_ values: [Int], strictly isStrict: Bool = false) -> Bool {
        values.indices.allSatisfy { bundle in
            domains[bundle].contains(values[bundle])
                && (!isEarly(bundle, values[bundle]) || !isStrict && isAskedFor(bundle, values))
                && demands[bundle][values[bundle]].allSatisfy { $0.values & (1 << values[$0.bundle]) != 0 }
        }
    }

    /// Returns whether the requested bundles have better values, comparing the first request first.
    func isBetter(_ values: [Int], than others: [Int]) -> Bool {
        func ranks(_ values: [Int]) -> [Int] {
            zip(requests, values).map { request, value in
                let domain = domains[RandomUniverse.names.firstIndex(of: request.identifier) ?? 0]
                return domain.firstIndex(of: value) ?? domain.count
            }
        }
        return ranks(values).lexicographicallyPrecedes(ranks(others))
    }

    /// Returns the best values of the requested bundles, comparing the first request first, or `nil` without a
    /// solution.
    func best(strictly isStrict: Bool) -> [Int]? {
        let requested = requests.map { request in RandomUniverse.names.firstIndex(of: request.identifier) ?? 0 }
        var best: [Int]?
        var values = [Int](repeating: 0, count: RandomUniverse.bundles)
        func visit(_ bundle: Int) {
            guard bundle < values.count else {
                guard isSolution(values, strictly: isStrict) else { return }
                let found = requested.map { values[$0] }
                if best.map({ isBetter(found, than: $0) }) ?? true { best = found }
                return
            }
            for value in domains[bundle] {
                values[bundle] = value
                visit(bundle + 1)
            }
        }
        visit(0)
        return best
    }
}
