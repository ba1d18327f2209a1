public import PluginCore
import PluginRouter

/// Staged versions, from the day they were put in place to the start that makes them active.
extension BundleManager {
    /// What becomes of each staged version when a host starts next, as things are now.
    ///
    /// - Throws: what is wrong with the registry.
    public nonisolated func stagedOutlooks() throws(AtriumError) -> [StagedOutlook] {
        try stagedGroups().flatMap { group in
            group.bundles.map { StagedOutlook(bundle: $0, obstacle: group.obstacle) }
        }
    }

    /// What a checkup says of them.
    nonisolated func stagedFindings() throws(AtriumError) -> [CheckupFinding] {
        try stagedOutlooks().map { outlook in
            let reason = outlook.obstacle.map { ": \(Self.words($0))" } ?? ""
            return CheckupFinding(
                .staged, .notice, outlook.bundle.identity.identifier, outlook.words + reason,
                remedy: outlook.obstacle.map { _ in "stage a version that goes together with what is installed" })
        }
    }

    /// The staged versions, and what their manifests say.
    nonisolated func stagedVersions() throws(AtriumError) -> [PlacedVersion] {
        var versions: [PlacedVersion] = []
        for bundle in try registry.staged() { versions.append(try placed(bundle)) }
        return versions
    }

    /// Makes staged versions active. Those that need each other do so together or not at all; those that cannot are dropped, unless
    /// what is in the way may pass.
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
                if !obstacle.isOfPlace { try self.drop(group.bundles) }
                try self.tell(group, obstacle)
            }
            return reports
        }
    }

    private nonisolated func activate(_ group: StagedGroup) throws(AtriumError) -> [InstallReport] {
        let before = try registry.active(among: group.bundles.map(\.identity.identifier))
        let released = try installer.commit(group.versions.map { .activate($0) })
        try? installer.clear(released)
        return group.bundles.map { InstallReport(bundle: $0, before: before[$0.identity.identifier]) }
    }

    /// Lets go of staged versions; what is active stays.
    nonisolated func drop(_ bundles: [PluginBundle]) throws(AtriumError) {
        let released = try installer.commit(bundles.map { .unstage($0) })
        try? installer.clear(released)
    }

    private nonisolated func tell(_ group: StagedGroup, _ obstacle: AtriumError) throws(AtriumError) {
        for bundle in group.bundles {
            let identifier = bundle.identity.identifier
            let outcome = obstacle.isOfPlace ? "has to wait" : "is dropped"
            let active = try registry.active(identifier).map { "; \($0.identity.version) stays active" } ?? ""
            services.log(
                identifier, .error, "\(bundle.identity.version), which was staged, \(outcome): \(obstacle)\(active)")
        }
    }

    nonisolated func placed(_ bundle: PluginBundle) throws(AtriumError) -> PlacedVersion {
        let (manifest, source) = try registry.source(of: bundle)
        return PlacedVersion(bundle: bundle, manifest: manifest, source: source)
    }
}

extension BundleManager {
    /// All that is staged, with what is in the way.
    ///
    /// - Throws: also when a manifest cannot be read just now: which versions belong together is then unknown, and all wait.
    private nonisolated func stagedGroups() throws(AtriumError) -> [StagedGroup] {
        var groups: [StagedGroup] = []
        for bundle in try registry.staged() {
            var group = StagedGroup(bundles: [bundle])
            do throws(AtriumError) {
                group.versions = [try placed(bundle)]
            } catch {
                if error.isOfPlace { throw error }
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
        let bar = try bars(knowing: Dictionary(contents) { first, _ in first })
        var ready: [PlacedVersion] = []
        for index in groups.indices where groups[index].obstacle == nil {
            do throws(AtriumError) {
                try requireAdoptable(groups[index].versions, after: ready, bar)
                ready += groups[index].versions
            } catch {
                groups[index].obstacle = error
            }
        }
        return groups
    }

    /// Returns whether versions that were let in once may become active now: they are as they were sealed, by who is still trusted to bring
    /// something new; nothing newer has run, nothing else has what they declare, this host can load them, and all have what they
    /// need.
    private nonisolated func requireAdoptable(
        _ versions: [PlacedVersion], after others: [PlacedVersion], _ bar: @escaping Resolver.Bar
    ) throws(AtriumError) {
        for version in versions {
            try requireSound(version.bundle, for: .install)
            if let reason = try bar(version.bundle.identity) { throw reason }
            try requireFree(version.manifest)
        }
        let all = others + versions
        let together = Resolver(
            sandbox: RegistrySandbox(registry: registry),
            offers: CatalogOffers(catalog: catalog, registry: registry, packages: all.map(\.manifest)), isBarred: bar)
        try together.requireNothingElse(
            for: all.map { Wish.install($0.bundle.identity.identifier, $0.bundle.identity.version) })
        try requireLoadable(versions, after: others)
    }
}

extension StagedGroup {
    /// Returns whether one of its versions needs one of another group, at once or on demand.
    fileprivate func needs(_ other: StagedGroup) -> Bool {
        let identifiers = Set(other.bundles.map(\.identity.identifier))
        return versions.contains { $0.manifest.requirements.contains { identifiers.contains($0.identifier) } }
    }
}

extension Resolver {
    /// Returns whether all bundles still have what they need when wishes come true as they are, and nothing else moves.
    ///
    /// - Throws: as ``plan(_:)``, and ``AtriumError`` with code `dependencyConflict` that says what else would have to move.
    func requireNothingElse(for wishes: [Wish]) throws(AtriumError) {
        let steps = try plan(wishes).steps
        let moved = steps.first { step in !wishes.contains { $0.identifier == step.identifier } }
        guard let moved else { return }
        let change = moved.arrival.map { "\($0) would have to come" } ?? "\(moved.identifier) would have to go"
        throw AtriumError(.dependencyConflict, wishes.map(\.subject).joined(separator: ", "), detail: change)
    }
}
