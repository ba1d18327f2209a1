import Registry
import Trust
import HostSystem
import Resolver
public import PluginCore
import PluginRouter

/// Staged versions, from their installation to the start that makes them active.
extension BundleManager {
    /// Predicts the outcome for each staged version at the next start of a host.
    ///
    /// - Throws: the errors of the registry.
    public nonisolated func stagedUpdateReports() throws(AtriumError) -> [StagedUpdateReport] {
        try stagedGroups().flatMap { group in
            group.bundles.map { StagedUpdateReport(bundle: $0, obstacle: group.obstacle) }
        }
    }

    /// Returns the findings about staged versions for a checkup.
    nonisolated func stagedFindings() throws(AtriumError) -> [CheckupFinding] {
        try stagedUpdateReports().map { updateReport in
            let reason = updateReport.obstacle.map { ": \(Self.words($0))" } ?? ""
            return CheckupFinding(
                .staged, .notice, updateReport.bundle.identity.identifier, updateReport.words + reason,
                remedy: updateReport.obstacle.map { _ in "stage a version that goes together with what is installed" })
        }
    }

    /// Returns the staged versions with their manifests.
    nonisolated func stagedVersions() throws(AtriumError) -> [PlacedVersion] {
        var versions: [PlacedVersion] = []
        for bundle in try registry.staged.all() { versions.append(try placed(bundle)) }
        return versions
    }

    /// Activates staged versions.
    ///
    /// Versions that need each other are activated together or not at all. Versions that can't be activated are unstaged, unless the
    /// obstacle is temporary.
    func activateStaged() async throws -> [InstallReport] {
        try await exclusively {
            var reports: [InstallReport] = []
            for group in try self.stagedGroups() {
                var obstacle = group.obstacle
                if obstacle == nil {
                    do throws(AtriumError) {
                        reports += try self.activate(group)
                    } catch {
                        obstacle = error
                    }
                }
                guard let obstacle else { continue }
                if !obstacle.isEnvironmental { try self.unstage(group.bundles) }
                try self.tell(group, obstacle)
            }
            return reports
        }
    }

    private nonisolated func activate(_ group: StagedGroup) throws(AtriumError) -> [InstallReport] {
        let before = try registry.active.versions(of: group.bundles.map(\.identity.identifier))
        let released = try installer.commit(group.versions.map { .activate($0) })
        try? installer.clear(released)
        return group.bundles.map { InstallReport(bundle: $0, before: before[$0.identity.identifier]) }
    }

    /// Unstages versions; active versions aren't affected.
    nonisolated func unstage(_ bundles: [PluginBundle]) throws(AtriumError) {
        let released = try installer.commit(bundles.map { .unstage($0) })
        try? installer.clear(released)
    }

    private nonisolated func tell(_ group: StagedGroup, _ obstacle: AtriumError) throws(AtriumError) {
        for bundle in group.bundles {
            let identifier = bundle.identity.identifier
            let outcome = obstacle.isEnvironmental ? "has to wait" : "is dropped"
            let active =
                try registry.active.version(of: identifier).map { "; \($0.identity.version) stays active" } ?? ""
            services.log(
                identifier, .error, "\(bundle.identity.version), which was staged, \(outcome): \(obstacle)\(active)")
        }
    }

    nonisolated func placed(_ bundle: PluginBundle) throws(AtriumError) -> PlacedVersion {
        let (manifest, source) = try registry.versions.source(of: bundle)
        return PlacedVersion(bundle: bundle, manifest: manifest, source: source)
    }
}

extension BundleManager {
    /// Returns all staged versions in groups that belong together, with their obstacles.
    ///
    /// - Throws: the error of a manifest that is temporarily unreadable, because the groups are then unknown.
    private nonisolated func stagedGroups() throws(AtriumError) -> [StagedGroup] {
        var groups: [StagedGroup] = []
        for bundle in try registry.staged.all() {
            var group = StagedGroup(bundles: [bundle])
            do throws(AtriumError) {
                group.versions = [try placed(bundle)]
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
        let blockReason = try blockRule(knowing: Dictionary(contents) { first, _ in first })
        var ready: [PlacedVersion] = []
        for index in groups.indices where groups[index].obstacle == nil {
            do throws(AtriumError) {
                try requireAdoptable(groups[index].versions, after: ready, blockReason)
                ready += groups[index].versions
            } catch {
                groups[index].obstacle = error
            }
        }
        return groups
    }

    /// Checks that staged versions may become active now.
    ///
    /// They must be intact and signed by a team that may still install new versions. No newer version may have run, no other
    /// bundle may have the same declarations, this host must be able to load them, and all requirements must be satisfied.
    private nonisolated func requireAdoptable(
        _ versions: [PlacedVersion], after others: [PlacedVersion], _ blockReason: @escaping Resolver.BlockRule
    ) throws(AtriumError) {
        for version in versions {
            try requireSound(version.bundle, for: .install)
            if let reason = try blockReason(version.bundle.identity) { throw reason }
            try requireFree(version.manifest)
        }
        let all = others + versions
        let together = Resolver(
            sandbox: RegistrySandbox(registry: registry),
            offers: CatalogOffers(catalog: catalog, registry: registry, packages: all.map(\.manifest)),
            blockRule: blockReason)
        try together.requireNothingElse(
            for: all.map { ResolverRequest.install($0.bundle.identity.identifier, $0.bundle.identity.version) })
        try requireLoadable(versions, after: others)
    }
}

extension StagedGroup {
    /// Returns whether one of its versions requires one of another group, immediately or on demand.
    fileprivate func needs(_ other: StagedGroup) -> Bool {
        let identifiers = Set(other.bundles.map(\.identity.identifier))
        return versions.contains { $0.manifest.requirements.contains { identifiers.contains($0.identifier) } }
    }
}

extension Resolver {
    /// Checks that requests can be fulfilled without any other change.
    ///
    /// - Throws: as ``plan(_:)``, and ``AtriumError`` with code `dependencyConflict` for another change that would be needed.
    func requireNothingElse(for requests: [ResolverRequest]) throws(AtriumError) {
        let steps = try plan(requests).steps
        let moved = steps.first { step in !requests.contains { $0.identifier == step.identifier } }
        guard let moved else { return }
        let change = moved.arrival.map { "\($0) would have to come" } ?? "\(moved.identifier) would have to go"
        throw AtriumError(.dependencyConflict, requests.map(\.subject).joined(separator: ", "), detail: change)
    }
}
