package import Registry
import HostSystem
package import PluginCore
import Synchronization

/// The staged versions, from their installation to the start of a host that makes them active.
public struct StagedUpdates: SandboxPart {
    package let transactions: SandboxTransactions

    /// Returns the staged versions with their manifests.
    func versions() throws(AtriumError) -> [PlacedVersion] {
        try registry.staged.all().map(registry.versions.placed)
    }

    /// Activates staged versions.
    ///
    /// Versions that need each other are activated together or not at all. Versions that can't be activated are unstaged, unless the
    /// obstacle is temporary.
    ///
    /// - Parameter isWaiting: Whether only those are activated that wait for the end of a use.
    func activate(onlyWaiting isWaiting: Bool = false) async throws -> [InstallReport] {
        try await writer.exclusively {
            var reports: [InstallReport] = []
            let waiting = Set(try registry.staged.waitingForData())
            if !waiting.isEmpty { transactions.waiting.begin() }
            for group in try groups() {
                if isWaiting, waiting.isDisjoint(with: group.bundles.map(\.identifier)) { continue }
                do throws(AtriumError) {
                    if let obstacle = group.obstacle { throw obstacle }
                    reports += try await installer.activate(group.versions) { .activate($0) }
                } catch {
                    // It was said when the version was staged.
                    if isWaiting, group.obstacle == nil, error.isDataInUse { continue }
                    if !error.isEnvironmental { try unstage(group.bundles) }
                    try tell(group, error)
                }
            }
            return reports
        }
    }

    /// Unstages versions; active versions aren't affected.
    package func unstage(_ bundles: [PluginBundle]) throws(AtriumError) {
        try installer.commitAndClear(bundles.map { .unstage($0) })
    }

    private func tell(_ group: StagedGroup, _ obstacle: AtriumError) throws(AtriumError) {
        for bundle in group.bundles {
            var outcome = ErrorReason(
                obstacle.isEnvironmental ? "stagedPostponed" : "stagedDropped",
                ["version": "\(bundle.version)", "error": .reason(.error(obstacle))])
            if let active = try registry.active.version(of: bundle.identifier) {
                outcome = ErrorReason(
                    "otherStaysActive", ["outcome": .reason(outcome), "version": "\(active.version)"])
            }
            log(bundle.identifier.text, .error, outcome)
        }
    }

    /// Returns all staged versions in groups that belong together, with their obstacles.
    ///
    /// - Throws: the error of a manifest that is temporarily unreadable, because the groups are then unknown.
    package func groups() throws(AtriumError) -> [StagedGroup] {
        var groups: [StagedGroup] = []
        for bundle in try registry.staged.all() {
            var group = StagedGroup(bundles: [bundle])
            do {
                group.versions = [try registry.versions.placed(bundle)]
            } catch {
                if error.isEnvironmental { throw error }
                group.obstacle = error
            }
            let linked = groups.filter { $0.needs(group) || group.needs($0) }
            groups.removeAll { $0.needs(group) || group.needs($0) }
            group.bundles += linked.flatMap(\.bundles)
            group.versions += linked.flatMap(\.versions)
            groups.append(group)
        }
        let blockReason = try planner.blockRule(in: source.known)
        var ready: [PlacedVersion] = []
        for index in groups.indices where groups[index].obstacle == nil {
            do {
                try policy.requireLaunch(of: groups[index].versions, after: ready, unless: blockReason)
                ready += groups[index].versions
            } catch {
                groups[index].obstacle = error
            }
        }
        return groups
    }
}

/// Staged versions that need each other, and become active together or not at all.
package struct StagedGroup {
    package var bundles: [PluginBundle]
    /// The versions whose manifests could be read, which are all unless there is an obstacle.
    var versions: [PlacedVersion] = []
    package var obstacle: AtriumError?

    /// Returns whether one of its versions requires one of another group, immediately or on demand.
    func needs(_ other: Self) -> Bool {
        let identifiers = Set(other.bundles.map(\.identifier))
        return versions.contains { $0.manifest.requirements.contains { identifiers.contains($0.identifier) } }
    }
}

/// The record that staged versions may wait until nothing uses the data of the active ones, with the time to look again.
final class WaitingUpdates: Sendable {
    /// The time of the next attempt, if any.
    private let next = Mutex<ContinuousClock.Instant?>(nil)

    /// Makes the next request look.
    func begin() { next.withLock { $0 = $0 ?? .now } }

    /// A Boolean value that indicates whether it is time to look.
    var isDue: Bool { next.withLock { $0.map { $0 <= .now } ?? false } }

    /// Returns whether it is time to look, which another caller then doesn't do for a while.
    func take() -> Bool {
        next.withLock { next in
            guard let due = next, due <= .now else { return false }
            next = .now + .seconds(5)
            return true
        }
    }

    /// Ends the looking, because nothing waits any longer.
    func end() { next.withLock { $0 = nil } }
}
