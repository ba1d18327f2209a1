import HostSystem
import PluginRuntime
import PluginCore

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
        var chosen: BundleIdentity?
        /// The requirements of the chosen version.
        var requirements: [BundleRequirement] = []
        /// The length of the queue before this choice added bundles.
        var queueMark = 0
        /// The earlier choices that rule out other versions of this bundle.
        var conflicts: Conflicts = [:]
        /// Combinations of contributions that rule out a version, as long as the earlier choices stay.
        var hopeless: [Set<Part>] = []
        var facts = ResolverFacts()
    }

    /// A requirement of the version that a frame has chosen.
    private typealias Demand = (frame: Int, need: ResolverFacts.Need)

    /// A bundle that needs a version, and the requirement that caused it unless the bundle was requested.
    private typealias Entry = (identifier: BundleIdentifier, cause: Demand?)

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
            enqueue((request.identifier, nil))
        }
        repeat {
            while frames.count < queue.count {
                let identifier = queue[frames.count].identifier
                frames.append(Frame(identifier: identifier, choices: try universe.choices(of: identifier)))
                while try !advance() { try goBack() }
            }
        } while try giveUpUnasked()
        var solution: [BundleIdentifier: SemanticVersion] = [:]
        for frame in frames { solution[frame.identifier] = frame.chosen?.version }
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
            guard let requirements = try compatibleRequirements(of: identity), try !isHopeless(identity, requirements)
            else { continue }
            try choose(identity, requirements)
            return true
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
        frames[index].chosen = identity
        frames[index].requirements = requirements
        frames[index].queueMark = queue.count
        for requirement in requirements {
            let demand = (index, try need(requirement, of: identity))
            demands[requirement.identifier, default: []].append(demand)
            guard !requirement.isOnDemand else { continue }
            let current = try universe.version(of: requirement.identifier)
            if let current, requirement.versions.contains(current) { continue }
            enqueue((requirement.identifier, demand))
        }
        guard try universe.version(of: identity.identifier) != version else { return }
        for (dependent, requirement) in try universe.dependents(of: identity.identifier)
        where places[dependent] == nil && !universe.removed.contains(dependent) {
            guard try universe.holdsNow(requirement), try !universe.isSatisfied(requirement, by: version) else {
                continue
            }
            enqueue((dependent, nil))
        }
    }

    /// Undoes the choices back to the last one that contributed to the conflict, including that one.
    private mutating func goBack() throws(AtriumError) {
        let dead = frames.removeLast()
        var conflicts = dead.conflicts
        var facts = dead.facts
        if let (frame, need) = queue[frames.count].cause, try universe.version(of: dead.identifier) == nil {
            conflicts[frame, default: []].insert(.needs(need.requirement))
            facts.insert(need)
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
            guard let identity = frame.chosen, try universe.isEarly(identity), !isDemanded(identity) else { continue }
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

    private func need(
        _ requirement: BundleRequirement, of identity: BundleIdentity
    ) throws(AtriumError) -> ResolverFacts.Need {
        let isInstalled = try universe.version(of: identity.identifier) == identity.version
        return ResolverFacts.Need(identity: identity, isInstalled: isInstalled, requirement: requirement)
    }

    /// Returns the requirements of a version of the last bundle, or records why it is incompatible or unavailable.
    private mutating func compatibleRequirements(
        of identity: BundleIdentity
    ) throws(AtriumError) -> [BundleRequirement]? {
        let index = frames.count - 1
        for (frame, need) in demands[identity.identifier] ?? []
        where try !universe.isSatisfied(need.requirement, by: identity.version) {
            frames[index].conflicts[frame, default: []].insert(.needs(need.requirement))
            frames[index].facts.insert(need)
            return nil
        }
        if try universe.isEarly(identity), !isAskedFor(identity) { return nil }
        let requirements: [BundleRequirement]
        do {
            requirements = try universe.requirements(of: identity)
        } catch {
            // The error of an explicitly requested version is reported. A temporary error is reported too, because it is no
            // reason to choose an older version.
            guard universe.request(for: identity.identifier)?.version == nil, !error.isEnvironmental else {
                throw error
            }
            frames[index].facts.insert(SkippedVersion(identity, for: error))
            return nil
        }
        for requirement in requirements {
            let (canBeMet, frame) = try canBeMet(requirement, of: identity)
            if canBeMet { continue }
            if let frame { frames[index].conflicts[frame, default: []].insert(.fails(requirement)) }
            frames[index].facts.insert(try need(requirement, of: identity))
            return nil
        }
        return requirements
    }

    /// Returns whether a chosen version, or one that failed without it, has a range that includes a pre-release of the last bundle.
    private func isAskedFor(_ identity: BundleIdentity) -> Bool {
        if isDemanded(identity) { return true }
        return frames[frames.count - 1].hopeless.joined().contains { part in
            if case .fails(let requirement) = part { requirement.versions.contains(identity.version) } else { false }
        }
    }

    private func isDemanded(_ identity: BundleIdentity) -> Bool {
        (demands[identity.identifier] ?? []).contains { $0.need.requirement.versions.contains(identity.version) }
    }

    /// Returns whether a requirement of a version of the last bundle can be met, with the choice that decides it, if one does.
    private func canBeMet(
        _ requirement: BundleRequirement, of identity: BundleIdentity
    ) throws(AtriumError) -> (Bool, frame: Int?) {
        let other = requirement.identifier
        if other == identity.identifier { return (try universe.isSatisfied(requirement, by: identity.version), nil) }
        // On-demand requirements don't prevent the removal of a bundle.
        if universe.removed.contains(other) { return (requirement.isOnDemand, nil) }
        if let place = places[other], place < frames.count, let version = frames[place].chosen?.version {
            return (try universe.isSatisfied(requirement, by: version), place)
        }
        // A bundle can only move up otherwise, which removes no offer; the target of a rollback is checked when its version is chosen.
        guard requirement.isOnDemand, universe.request(for: other)?.version == nil else { return (true, nil) }
        return (try universe.holdsNow(requirement), nil)
    }

    /// Checks the preconditions of a request.
    private func check(_ request: ChangeRequest) throws(AtriumError) {
        let identifier = request.identifier
        let current = try universe.version(of: identifier)
        guard request.kind == .install else {
            if current == nil { throw AtriumError(.bundleNotInstalled, identifier) }
            return
        }
        if let current {
            guard let version = request.version, version != current else { return }
            if version < current { throw AtriumError(.downgrade, request.subject, reason: .versionActive(current)) }
        }
        let offered = try universe.offered(identifier)
        guard let newest = offered.first else { throw AtriumError(.bundleUnknown, identifier) }
        if let version = request.version, !offered.contains(version) {
            try universe.requireReachable()
            throw AtriumError(.versionUnknown, request.subject, nearest: offered.map { "\(identifier)@\($0)" })
        }
        if request.version == nil {
            guard try universe.choices(of: identifier).isEmpty else { return }
            try universe.requireReachable()
        }
        if let reason = try universe.blockReason(identifier, request.version ?? newest) { throw reason }
    }
}
