public import Registry
import HostSystem
public import PluginCore
import Synchronization

/// The staged versions, from their installation to the start of a host that makes them active.
public struct StagedUpdates: SandboxPart {
    package let transactions: SandboxTransactions

    /// Predicts the outcome for each staged version at the next start of a host.
    ///
    /// - Throws: the errors of the registry.
    public func reports() throws(AtriumError) -> [StagedUpdateReport] {
        try groups().flatMap { group in
            group.bundles.map { StagedUpdateReport(bundle: $0, obstacle: group.obstacle) }
        }
    }

    /// Returns the staged versions with their manifests.
    func versions() throws(AtriumError) -> [PlacedVersion] {
        try registry.staged.all().map { bundle throws(AtriumError) in try registry.placed(bundle) }
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
                if isWaiting, waiting.isDisjoint(with: group.bundles.map(\.identity.identifier)) { continue }
                do throws(AtriumError) {
                    if let obstacle = group.obstacle { throw obstacle }
                    reports += try await activate(group)
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

    private func activate(_ group: StagedGroup) async throws(AtriumError) -> [InstallReport] {
        let before = try registry.active.versions(of: group.bundles.map(\.identity.identifier))
        let locks = try await policy.data.prepareSwitch(
            to: group.versions.map { ($0.manifest, $0.bundle.digest) }, ending: running)
        defer { for lock in locks { lock.release() } }
        let released = try installer.commit(group.versions.map { .activate($0) })
        try? installer.clear(released)
        return group.bundles.map { InstallReport(bundle: $0, before: before[$0.identity.identifier]) }
    }

    /// Unstages versions; active versions aren't affected.
    func unstage(_ bundles: [PluginBundle]) throws(AtriumError) {
        let released = try installer.commit(bundles.map { .unstage($0) })
        try? installer.clear(released)
    }

    private func tell(_ group: StagedGroup, _ obstacle: AtriumError) throws(AtriumError) {
        for bundle in group.bundles {
            let identifier = bundle.identity.identifier
            let values: [String: ErrorReason.Value] = [
                "version": "\(bundle.identity.version)", "error": .reason(.error(obstacle)),
            ]
            var outcome = ErrorReason(obstacle.isEnvironmental ? "stagedPostponed" : "stagedDropped", values)
            if let active = try registry.active.version(of: identifier) {
                outcome = ErrorReason(
                    "otherStaysActive", ["outcome": .reason(outcome), "version": "\(active.identity.version)"])
            }
            log(identifier.text, .error, outcome)
        }
    }

    /// Returns all staged versions in groups that belong together, with their obstacles.
    ///
    /// - Throws: the error of a manifest that is temporarily unreadable, because the groups are then unknown.
    private func groups() throws(AtriumError) -> [StagedGroup] {
        var groups: [StagedGroup] = []
        for bundle in try registry.staged.all() {
            var group = StagedGroup(bundles: [bundle])
            do throws(AtriumError) {
                group.versions = [try registry.placed(bundle)]
            } catch {
                if error.isEnvironmental { throw error }
                group.obstacle = error
            }
            let linked = groups.filter { $0.needs(group) || group.needs($0) }
            groups.removeAll { $0.needs(group) || group.needs($0) }
            for other in linked {
                group.bundles += other.bundles
                group.versions += other.versions
            }
            groups.append(group)
        }
        let contents = groups.flatMap(\.bundles).map { ($0.identity, $0.digest) }
        let blockReason = try planner.versionPolicy.blockRule(
            in: source.known, knowing: Dictionary(contents) { first, _ in first })
        var ready: [PlacedVersion] = []
        for index in groups.indices where groups[index].obstacle == nil {
            do throws(AtriumError) {
                try policy.require(groups[index].versions, for: .launch, after: ready, unless: blockReason)
                ready += groups[index].versions
            } catch {
                groups[index].obstacle = error
            }
        }
        return groups
    }
}

/// Staged versions that need each other, and become active together or not at all.
struct StagedGroup {
    var bundles: [PluginBundle]
    /// The versions whose manifests could be read, which are all unless there is an obstacle.
    var versions: [PlacedVersion] = []
    var obstacle: AtriumError?

    /// Returns whether one of its versions requires one of another group, immediately or on demand.
    func needs(_ other: StagedGroup) -> Bool {
        let identifiers = Set(other.bundles.map(\.identity.identifier))
        return versions.contains { $0.manifest.requirements.contains { identifiers.contains($0.identifier) } }
    }
}

/// The predicted outcome for a staged version at the next start of a host.
public struct StagedUpdateReport: Sendable {
    /// The staged version.
    public let bundle: PluginBundle
    /// The reason why it can't become active at present; `nil` when it can.
    public let obstacle: AtriumError?

    /// The description of the outcome.
    public var reason: ErrorReason {
        ErrorReason(
            obstacle == nil ? "stagedForNextStart" : "stagedWithObstacle", ["version": "\(bundle.identity.version)"])
    }
}

/// The record that staged versions may wait until nothing uses the data of the active ones, with the time to look again.
final class WaitingUpdates: Sendable {
    /// The time of the next attempt, and the pause after it while the data stays in use, which doubles with each.
    private let times = Mutex((next: ContinuousClock.Instant?.none, pause: Duration.seconds(5)))

    /// Makes the next request look.
    func begin() { times.withLock { $0.next = $0.next ?? .now } }

    /// A Boolean value that indicates whether it is time to look.
    var isDue: Bool { times.withLock { $0.next.map { $0 <= .now } ?? false } }

    /// Returns whether it is time to look, which another caller then doesn't do.
    func take() -> Bool {
        times.withLock { times in
            guard let next = times.next, next <= .now else { return false }
            times.next = .now + times.pause
            times.pause *= 2
            return true
        }
    }

    /// Ends the looking, because nothing waits any longer.
    func end() { times.withLock { $0.next = nil } }
}
