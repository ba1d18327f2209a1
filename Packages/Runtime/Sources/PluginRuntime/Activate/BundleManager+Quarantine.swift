import PluginCore
import PluginRouter

/// What becomes of a version that brought a host down.
extension BundleManager {
    /// Puts such versions away; the version before takes the place of each, with what has to go back with it, or none does.
    func quarantineCulprits() async throws -> [InstallReport] {
        let book = probation.book
        guard !book.reading().isClear else { return [] }
        do {
            let reports = try await exclusively {
                var reports: [InstallReport] = []
                try book.settle { reports += try self.quarantine($0) }
                return reports
            }
            quarantineObstacle = nil
            return reports
        } catch {
            quarantineObstacle = error
            throw error
        }
    }

    /// Makes sure that a version does not wait to be put away: it would bring this host down too.
    ///
    /// - Throws: ``AtriumError`` with code `quarantined`, what it did and why it waits as detail, or with the code of what it waits
    ///   for, when that may pass; `inputOutput` or `sandboxUnwritable` when nobody can tell, because a marker cannot be read.
    func requireUnblamed(_ bundle: PluginBundle) throws(AtriumError) {
        guard let verdict = try probation.verdict(on: bundle) else { return }
        let why = quarantineObstacle.map { ($0 as? AtriumError).map(Self.words) ?? "\($0)" }
        let words = "\(verdict.explanation); it waits to be put away: \(why ?? "a host does that when it starts")"
        if let obstacle = quarantineObstacle as? AtriumError, obstacle.isOfPlace {
            throw AtriumError(obstacle.code, obstacle.subject, detail: "\(bundle.identity) \(words)")
        }
        throw AtriumError(.quarantined, bundle.identity.description, detail: words)
    }

    /// The versions that the next start would put away, each with the verdict on it.
    ///
    /// - Parameter isSweeping: as ``ProbationBook/verdicts(sweeping:)``.
    nonisolated func culprits(
        by book: ProbationBook, sweeping isSweeping: Bool = true
    ) throws(AtriumError) -> [(bundle: PluginBundle, verdict: ProbationVerdict)] {
        var culprits: [(bundle: PluginBundle, verdict: ProbationVerdict)] = []
        let reading = book.reading(sweeping: isSweeping)
        if let obstacle = reading.obstacle { throw obstacle }
        for verdict in reading.verdicts {
            if let bundle = try culprit(verdict) { culprits.append((bundle, verdict)) }
        }
        return culprits
    }

    /// The version that a verdict is about. One that has gone meanwhile, or has proven itself since, is not spoken of any more.
    private nonisolated func culprit(_ verdict: ProbationVerdict) throws(AtriumError) -> PluginBundle? {
        try registry.versions(of: verdict.identity.identifier).first {
            $0.identity == verdict.identity && $0.digest == verdict.digest && $0.provenAt == nil
        }
    }

    private nonisolated func quarantine(_ verdict: ProbationVerdict) throws -> [InstallReport] {
        guard let bundle = try culprit(verdict) else { return [] }
        let isActive = try registry.active(verdict.identity.identifier) == bundle
        let (way, released) = try putAway(bundle, verdict.explanation, isActive: isActive)
        try? installer.clear(released)
        let outcome =
            switch way {
            case _ where !isActive: "; it was not active"
            case .taken(let returns): returns.outcome(of: bundle)
            case .blocked(let why): Self.disabled(why)
            }
        services.log(
            bundle.identity.identifier, .error, "\(bundle.identity.version) \(verdict.explanation)\(outcome)")
        guard case .taken(let returns) = way else { return [] }
        return returns.map { InstallReport(bundle: $0.bundle, before: $0.before) }
    }

    /// The way back from a version.
    private enum Way {
        /// What becomes active again, the bundle's own version first.
        case taken([VersionReturn])
        /// There is none.
        case blocked(AtriumError)
    }

    /// In one transaction: the version goes, and all that takes its place comes.
    private nonisolated func putAway(
        _ bundle: PluginBundle, _ reason: String, isActive: Bool
    ) throws(AtriumError) -> (Way, released: [PluginBundle]) {
        guard isActive else {
            return (.taken([]), try installer.commit([.quarantine(bundle, reason: reason, then: nil)]))
        }
        let obstacle: AtriumError
        do throws(AtriumError) {
            let returns = try wayBack(from: bundle)
            let (own, others) = (returns.first, returns.dropFirst())
            let released = try installer.commit(
                [.quarantine(bundle, reason: reason, then: own.map { ($0.bundle, $0.manifest) })]
                    + others.map { .rollBack(to: $0.bundle, $0.manifest) })
            return (.taken(returns), released)
        } catch {
            // What says nothing of the versions is no reason to be without any, and nothing is let go of because it couldn't be
            // read: the next start tries again, and nobody loads this one meanwhile.
            if error.isOfPlace { throw error }
            obstacle = error
        }
        let whole = reason + Self.disabled(obstacle)
        return (.blocked(obstacle), try installer.commit([.quarantine(bundle, reason: whole, then: nil)]))
    }

    private static func disabled(_ why: AtriumError) -> String {
        let words = ([why.detail] + why.problems).filter { !$0.isEmpty }.joined(separator: "; ")
        return "; nothing takes its place: \(words.isEmpty ? why.description : words)"
    }

    /// What has to become active in place of a version, so that every bundle still has what it needs: the version before, and of
    /// other bundles theirs.
    ///
    /// - Throws: ``AtriumError`` with code `nothingToRollBack`, `bundleUnavailable`, `sealBroken`, `keyRevoked`,
    ///   `routeConflict`, `libraryIncompatible`, `libraryUnloadable`, `requirementUnmet` or `dependencyConflict`, with the chain
    ///   that stands in the way.
    private nonisolated func wayBack(from bundle: PluginBundle) throws(AtriumError) -> [VersionReturn] {
        let identifier = bundle.identity.identifier
        guard let previous = try registry.installed(identifier)?.previous else {
            throw AtriumError(.nothingToRollBack, identifier, detail: "no version before it is kept")
        }
        let offers = KeptOffers(registry: registry) { bundle, manifest throws(AtriumError) in
            try self.requireWayBack(to: bundle)
            try self.requireSound(bundle)
            try self.requireFree(manifest)
        }
        let resolver = Resolver(sandbox: RegistrySandbox(registry: registry), offers: offers, direction: .back)
        let steps = try resolver.plan([.rollBack(identifier, to: previous.identity.version)]).steps
        var returns: [VersionReturn] = []
        for step in steps {
            guard let installed = try registry.installed(step.identifier), let kept = installed.previous,
                kept.identity == step.arrival
            else { continue }
            returns.append(
                VersionReturn(bundle: kept, before: installed.active, manifest: try registry.manifest(of: kept)))
        }
        var versions: [PlacedVersion] = []
        for one in returns { versions.append(try placed(one.bundle)) }
        try requireLoadable(versions)
        return returns.filter { $0.bundle == previous } + returns.filter { $0.bundle != previous }
    }
}

/// A version that becomes active again.
private struct VersionReturn {
    let bundle: PluginBundle
    let before: PluginBundle
    let manifest: Manifest
}

extension [VersionReturn] {
    /// What is said of a version in whose place they come.
    fileprivate func outcome(of bundle: PluginBundle) -> String {
        let others = dropFirst().map(\.bundle.identity.description).joined(separator: ", ")
        let own = first.map { "; \($0.bundle.identity.version) is active again" } ?? ""
        return own + (others.isEmpty ? "" : ", and with it \(others)")
    }
}
