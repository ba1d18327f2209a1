import HostSystem
import PluginRuntime
internal import PluginCore

/// A backtracking search for a version of each bundle that must be installed or moved.
///
/// Bundles get a version one after the other: requested bundles first, then those that a choice needs or conflicts with. When
/// no version is left, the search returns to the last choice that contributed to the conflict (conflict-directed backjumping),
/// so that unrelated choices aren't combined. A version that contributes to a conflict like a failed version isn't tried again.
/// The search has its own stack, because the length of a chain is not under our control.
struct ResolverSearch {
    /// The contribution of a choice to a conflict.
    private enum Part: Hashable {
        /// The choice has this requirement.
        case needs(BundleRequirement)
        /// The choice doesn't satisfy this requirement of another bundle.
        case fails(BundleRequirement)
    }

    /// The contributions of choices to a conflict, by frame.
    private typealias Conflicts = [Int: Set<Part>]

    /// A bundle whose version is being chosen.
    private struct Frame {
        let identifier: BundleIdentifier
        let choices: [SemanticVersion]
        var next = 0
        var chosen: SemanticVersion?
        /// The requirements of the chosen version.
        var requirements: [BundleRequirement] = []
        /// The length of the queue before this choice added bundles.
        var queueMark = 0
        /// The earlier choices that rule out other versions of this bundle.
        var conflicts: Conflicts = [:]
        /// Combinations of contributions that rule out a version, as long as the earlier choices stay.
        var hopeless: [Set<Part>] = []
        var facts = ResolverFacts()

        /// The bundle in the chosen version.
        var identity: BundleIdentity? { chosen.map { BundleIdentity(identifier: identifier, version: $0) } }
    }

    /// A requirement of the version that a frame has chosen.
    private typealias Demand = (frame: Int, requirement: BundleRequirement)

    /// A bundle that needs a version, and the requirement that caused it unless the bundle was requested.
    private struct Entry {
        let identifier: BundleIdentifier
        var cause: Demand?
    }

    /// The reason why a version is rejected.
    private typealias Rejection = (conflicts: Conflicts, facts: ResolverFacts)

    private let universe: ResolverUniverse
    private var frames: [Frame] = []
    private var queue: [Entry] = []
    /// The index of each bundle in the queue.
    private var places: [BundleIdentifier: Int] = [:]
    private var demands: [BundleIdentifier: [Demand]] = [:]

    init(_ universe: ResolverUniverse) {
        self.universe = universe
    }

    /// Returns the version of each bundle that was requested or examined, which may be its current one.
    mutating func solve() throws(AtriumError) -> [BundleIdentifier: SemanticVersion] {
        for request in universe.requests where !universe.removed.contains(request.identifier) {
            try check(request)
            enqueue(Entry(identifier: request.identifier))
        }
        repeat {
            while frames.count < queue.count {
                let identifier = queue[frames.count].identifier
                frames.append(Frame(identifier: identifier, choices: try universe.choices(of: identifier)))
                while try !advance() { try goBack() }
            }
        } while try giveUpUnasked()
        var solution: [BundleIdentifier: SemanticVersion] = [:]
        for frame in frames { solution[frame.identifier] = frame.chosen }
        return solution
    }

    private mutating func enqueue(_ entry: Entry) {
        guard places[entry.identifier] == nil else { return }
        places[entry.identifier] = queue.count
        queue.append(entry)
    }

    /// Chooses the next version of the last bundle that is compatible with all other choices.
    private mutating func advance() throws(AtriumError) -> Bool {
        let index = frames.count - 1
        while frames[index].next < frames[index].choices.count {
            let version = frames[index].choices[frames[index].next]
            frames[index].next += 1
            let identity = BundleIdentity(identifier: frames[index].identifier, version: version)
            var requirements: [BundleRequirement] = []
            if let rejection = try reject(identity, &requirements) {
                frames[index].conflicts.merge(rejection.conflicts) { $0.union($1) }
                frames[index].facts.add(rejection.facts)
            } else if try !isHopeless(identity, requirements) {
                try choose(identity, requirements)
                return true
            }
        }
        return false
    }

    /// Returns whether a version makes the same contribution to a conflict as a failed one.
    private func isHopeless(
        _ identity: BundleIdentity, _ requirements: [BundleRequirement]
    ) throws(AtriumError) -> Bool {
        for parts in frames[frames.count - 1].hopeless {
            var hasAll = true
            for part in parts where hasAll {
                switch part {
                case .needs(let requirement): hasAll = requirements.contains(requirement)
                case .fails(let requirement): hasAll = try !universe.isSatisfied(requirement, by: identity.version)
                }
                try universe.spend()
            }
            if hasAll { return true }
        }
        return false
    }

    private mutating func choose(
        _ identity: BundleIdentity, _ requirements: [BundleRequirement]
    ) throws(AtriumError) {
        let (index, version) = (frames.count - 1, identity.version)
        frames[index].chosen = version
        frames[index].requirements = requirements
        frames[index].queueMark = queue.count
        for requirement in requirements {
            demands[requirement.identifier, default: []].append((index, requirement))
            guard !requirement.isOnDemand else { continue }
            let current = try universe.version(of: requirement.identifier)
            if let current, requirement.versions.contains(current) { continue }
            enqueue(Entry(identifier: requirement.identifier, cause: (index, requirement)))
        }
        guard try universe.version(of: identity.identifier) != version else { return }
        for (dependent, requirement) in try universe.dependents(of: identity.identifier)
        where places[dependent] == nil && !universe.removed.contains(dependent) {
            guard try universe.holdsNow(requirement), try !universe.isSatisfied(requirement, by: version) else {
                continue
            }
            enqueue(Entry(identifier: dependent))
        }
    }

    /// Undoes the choices back to the last one that contributed to the conflict, including that one.
    private mutating func goBack() throws(AtriumError) {
        let dead = frames.removeLast()
        let entry = queue[frames.count]
        var conflicts = dead.conflicts
        var facts = dead.facts
        if let cause = entry.cause, try universe.version(of: dead.identifier) == nil {
            conflicts[cause.frame, default: []].insert(.needs(cause.requirement))
            facts.add(try need(cause))
        }
        try universe.spend(conflicts.count + facts.needs.count)
        guard let target = conflicts.keys.max() else {
            try universe.requireReachable()
            throw try facts.error(of: universe.request(for: dead.identifier) ?? universe.requests[0], universe)
        }
        undoChoices(downTo: target)
        if let parts = conflicts.removeValue(forKey: target) { frames[target].hopeless.append(parts) }
        frames[target].conflicts.merge(conflicts) { $0.union($1) }
        frames[target].facts.add(facts)
    }

    /// Undoes the first choice of a pre-release that no chosen version asks for any longer.
    private mutating func giveUpUnasked() throws(AtriumError) -> Bool {
        for (index, frame) in frames.enumerated() {
            guard let identity = frame.identity, try universe.isEarly(identity), !isDemanded(identity) else { continue }
            undoChoices(downTo: index)
            while try !advance() { try goBack() }
            return true
        }
        return false
    }

    /// Undoes the choice of a frame, which becomes the last one, and of all after it.
    private mutating func undoChoices(downTo index: Int) {
        for frame in frames[index...].reversed() {
            for requirement in frame.requirements { demands[requirement.identifier]?.removeLast() }
        }
        frames.removeSubrange((index + 1)...)
        (frames[index].requirements, frames[index].chosen) = ([], nil)
        for entry in queue[frames[index].queueMark...] { places[entry.identifier] = nil }
        queue.removeSubrange(frames[index].queueMark...)
    }

    private func need(_ demand: Demand) throws(AtriumError) -> ResolverFacts {
        try frames[demand.frame].identity.map { identity throws(AtriumError) in
            try need(demand.requirement, of: identity)
        } ?? ResolverFacts()
    }

    private func need(
        _ requirement: BundleRequirement, of identity: BundleIdentity
    ) throws(AtriumError) -> ResolverFacts {
        let isInstalled = try universe.version(of: identity.identifier) == identity.version
        return ResolverFacts(
            ResolverFacts.Need(identity: identity, isInstalled: isInstalled, requirement: requirement))
    }

    private func chosen(_ identifier: BundleIdentifier) -> (frame: Int, version: SemanticVersion)? {
        guard let place = places[identifier], place < frames.count, let version = frames[place].chosen else {
            return nil
        }
        return (place, version)
    }

    /// Returns the reason why a version of the last bundle is incompatible or unavailable.
    ///
    /// - Returns: `nil` when the version is acceptable, with its requirements in the parameter.
    private func reject(
        _ identity: BundleIdentity, _ requirements: inout [BundleRequirement]
    ) throws(AtriumError) -> Rejection? {
        for demand in demands[identity.identifier] ?? [] {
            guard try !universe.isSatisfied(demand.requirement, by: identity.version) else { continue }
            return ([demand.frame: [.needs(demand.requirement)]], try need(demand))
        }
        if try universe.isEarly(identity), !isAskedFor(identity) { return ([:], ResolverFacts()) }
        do {
            requirements = try universe.requirements(of: identity)
        } catch {
            // The error of an explicitly requested version is reported. A temporary error is reported too, because it is no
            // reason to choose an older version.
            guard universe.request(for: identity.identifier)?.version == nil, !error.isEnvironmental else {
                throw error
            }
            return ([:], ResolverFacts(broken: error, identity))
        }
        for requirement in requirements {
            if let rejection = try reject(requirement, of: identity) { return rejection }
        }
        return nil
    }

    /// Returns whether a chosen version, or one that failed without it, has a range that includes a pre-release of the last bundle.
    private func isAskedFor(_ identity: BundleIdentity) -> Bool {
        if isDemanded(identity) { return true }
        return frames[frames.count - 1].hopeless.joined().contains { part in
            if case .fails(let requirement) = part { requirement.versions.contains(identity.version) } else { false }
        }
    }

    private func isDemanded(_ identity: BundleIdentity) -> Bool {
        (demands[identity.identifier] ?? []).contains { $0.requirement.versions.contains(identity.version) }
    }

    private func reject(
        _ requirement: BundleRequirement, of identity: BundleIdentity
    ) throws(AtriumError) -> Rejection? {
        let facts = try need(requirement, of: identity)
        if requirement.identifier == identity.identifier {
            return try universe.isSatisfied(requirement, by: identity.version) ? nil : ([:], facts)
        }
        if universe.removed.contains(requirement.identifier) {
            // On-demand requirements don't prevent the removal of a bundle.
            return requirement.isOnDemand ? nil : ([:], facts)
        }
        if let (frame, version) = chosen(requirement.identifier) {
            let isSatisfied = try universe.isSatisfied(requirement, by: version)
            return isSatisfied ? nil : ([frame: [.fails(requirement)]], facts)
        }
        // A bundle can only move up otherwise, which removes no offer; the target of a rollback is checked when its version is chosen.
        guard requirement.isOnDemand, universe.request(for: requirement.identifier)?.version == nil else { return nil }
        return try universe.holdsNow(requirement) ? nil : ([:], facts)
    }

    /// Checks the preconditions of a request.
    private func check(_ request: ResolverRequest) throws(AtriumError) {
        let identifier = request.identifier
        let current = try universe.version(of: identifier)
        switch request {
        case .update, .rollBack, .remove:
            guard current == nil else { return }
            throw try universe.notInstalled(identifier)
        case .install(_, let version?):
            if version == current { return }
            let identity = BundleIdentity(identifier: identifier, version: version)
            if let current, version < current {
                throw AtriumError(.downgrade, identity.description, reason: .versionActive(current))
            }
            let offered = try offered(identifier)
            guard offered.contains(version) else {
                try universe.requireReachable()
                throw AtriumError(
                    .versionUnknown, identity.description, nearest: offered.map { "\(identifier)@\($0)" })
            }
            if let reason = try universe.blockReason(identifier, version) { throw reason }
        case .install(_, nil):
            guard current == nil else { return }
            let offered = try offered(identifier)
            guard try universe.choices(of: identifier).isEmpty, let newest = offered.first else { return }
            try universe.requireReachable()
            if let reason = try universe.blockReason(identifier, newest) { throw reason }
        }
    }

    private func offered(_ identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        let offered = try universe.offered(identifier)
        guard offered.isEmpty else { return offered }
        throw AtriumError(.bundleUnknown, identifier)
    }
}
