public import Registry
import HostSystem
public import PluginCore

/// The result of an uninstallation.
public struct UninstallReport: Hashable, Sendable {
    /// The active version of each removed bundle, followed by the staged versions that were removed alone.
    public var removed: [PluginBundle] = []
    /// The bundles that had been uninstalled before, and whose data was deleted now.
    public var erased: [BundleIdentifier] = []
    /// The versions whose blocks were lifted, of bundles that were uninstalled now or before.
    public var unblocked: [QuarantinedVersion] = []
}

/// The transaction that removes bundles.
public struct UninstallTransaction: SandboxPart {
    package let transactions: SandboxTransactions

    /// Uninstalls bundles atomically; their data stays unless its deletion is requested.
    ///
    /// Blocks on their versions are lifted, also for bundles that are uninstalled already. A crash that hasn't been reported
    /// yet becomes a block on that content, because no user has seen it.
    ///
    /// - Parameters:
    ///   - deleteData: whether their data is deleted too, also of bundles that are uninstalled already.
    ///   - isCascade: whether dependent bundles are removed too.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleNeeded` with the dependent bundles, `sandboxBusy`,
    ///   `registryDamaged`.
    @discardableResult
    public func run(
        _ identifiers: [BundleIdentifier], deleteData: Bool = false, cascade isCascade: Bool = false
    ) async throws -> UninstallReport {
        try await run({ identifiers }, deleteData: deleteData, cascade: isCascade, isByName: true)
    }

    /// Uninstalls the bundles that a closure returns; it is called again once the sandbox is locked.
    ///
    /// - Parameter isByName: whether a user has named them, so that they aren't installed on demand again without a question.
    package func run(
        _ identifiers: @Sendable () throws(AtriumError) -> [BundleIdentifier], deleteData: Bool,
        cascade isCascade: Bool, isByName: Bool
    ) async throws -> UninstallReport {
        // The data of an interrupted deletion is deleted before the second plan.
        let known = try parts(of: identifiers(), deleteData: deleteData).left
        return try await writer.change {
            try parts(of: identifiers(), deleteData: deleteData, and: known)
        } applying: { parts in
            let (installed, left, blocked) = parts
            let removal = try planner.removalPlan(by: installed.map { .remove($0, cascade: isCascade) })
            let leaving = removal.identifiers
            // A bundle that is only staged has no version that stays.
            let all = leaving + installed.filter { !leaving.contains($0) }
            let blocks = try registry.quarantine.all()
            let lifted = blocks.filter { blocked.contains($0.identity.identifier) }
            let report = UninstallReport(
                removed: try leaving.compactMap { try registry.active.version(of: $0) } + removal.staged, erased: left,
                unblocked: lifted + blocks.filter { leaving.contains($0.identity.identifier) })
            // Versions that the next start would quarantine are blocked now, so that they aren't offered again.
            let crashedVersions = try quarantine.crashedVersions().filter { leaving.contains($0.bundle.identifier) }
            let removals = leaving.map { identifier in
                let own = crashedVersions.filter { $0.bundle.identifier == identifier }
                let reasons = own.map { ($0.bundle, $0.crash.reason) }
                return RegistryChange.remove(
                    identifier, blocking: Dictionary(reasons) { first, _ in first }, isByUser: isByName)
            }
            let dataVersions = try registry.active.versions(of: leaving).mapValues(\.dataVersion)
            // The bundles may write data while they end, so it is deleted afterwards.
            let released = try await running.deactivateForRemoval(leaving) {
                try installer.commit(removals + removal.staged.map { .unstage($0) }, erasing: deleteData ? all : [])
            }
            for (bundle, crash) in crashedVersions {
                log(bundle.identity, "crashedContentBlocked", ["crash": .reason(crash.reason)])
            }
            // Strikes may be coincidences, and don't count against a version that is installed again.
            for bundle in released { quarantine.forget(bundle.key) }
            try registry.quarantine.unblock(lifted)
            try installer.collector.collect(released.map(\.identifier), keepingData: dataVersions)
            if deleteData {
                for identifier in all + left { try FileSystem.remove(sandbox.dataFolder(of: identifier)) }
                for identifier in all { try registry.notes.change(identifier) { $0.isErased = false } }
            }
            return report
        }
    }

    private typealias Parts = (installed: [BundleIdentifier], left: [BundleIdentifier], blocked: [BundleIdentifier])

    /// Groups bundles into installed ones, those with only data left to delete, and uninstalled ones with blocked versions.
    ///
    /// Bundles of which nothing is left are skipped as long as anything can be done, so that an interrupted uninstallation can be repeated.
    ///
    /// - Parameter known: bundles that belong to the second group unless they are installed.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` for a bundle that was never installed, or when nothing can be done.
    private func parts(
        of identifiers: [BundleIdentifier], deleteData: Bool, and known: [BundleIdentifier] = []
    ) throws(AtriumError) -> Parts {
        let noted = deleteData ? try registry.notes.erased() : []
        let blocks = Set(try registry.quarantine.all().map(\.identity.identifier))
        var (installed, left, blocked): Parts = ([], [], [])
        for identifier in identifiers
        where ![installed, left, blocked].joined().contains(identifier) {
            let active = try registry.active.version(of: identifier)
            let staged = try registry.staged.version(of: identifier)
            if active != nil || staged != nil {
                installed.append(identifier)
                continue
            }
            if blocks.contains(identifier) { blocked.append(identifier) }
            let isKnown = known.contains(identifier) || noted.contains(identifier)
            if deleteData, isKnown ? true : try FileSystem.isFolder(sandbox.dataFolder(of: identifier)) {
                left.append(identifier)
            } else if !blocks.contains(identifier), deleteData ? try registry.history.all(of: identifier).isEmpty : true
            {
                _ = try registry.requireInstalled(identifier)
            }
        }
        if installed.isEmpty, left.isEmpty, blocked.isEmpty, let first = identifiers.first {
            _ = try registry.requireInstalled(first)
        }
        return (installed, left, blocked)
    }
}

extension ChangePlanner {
    /// Plans the removal of bundles, for the active versions and for those at the next start of a host.
    ///
    /// - Returns: the bundles of which all versions are removed, in an order such that each comes before those that it needs; and the staged
    ///   versions that are removed alone, because no version of the bundle is active, or the active one can stay.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, or `bundleNeeded` with the dependent bundles.
    func removalPlan(
        by requests: [ChangeRequest]
    ) throws(AtriumError) -> (identifiers: [BundleIdentifier], staged: [PluginBundle]) {
        let offers = KeptOffers(registry: registry)
        let staged = try registry.staged.all()
        var active: [ChangeRequest] = []
        for request in requests {
            let isStagedAlone = try registry.active.version(of: request.identifier) == nil
            if !isStagedAlone || !staged.contains(where: { $0.identifier == request.identifier }) {
                active.append(request)
            }
        }
        let leaving = try plan(active, in: offers).departures
        if staged.isEmpty { return (leaving, []) }
        do throws(AtriumError) {
            let next = try plan(requests, in: offers, staging: true).departures
            return (leaving, staged.filter { next.contains($0.identifier) && !leaving.contains($0.identifier) })
        } catch  where error.code == .bundleNeeded {
            let dependents = staged.map { ErrorReason.Value.text($0.identity.description) }
            throw AtriumError(
                .bundleNeeded, error.subject,
                problems: error.problems.map { problem in
                    guard let bundle = problem.values["bundle"], dependents.contains(bundle) else { return problem }
                    return ErrorReason("needsAndStaged", ["need": .reason(problem)])
                })
        }
    }
}

extension ResolvedChange {
    /// The removed bundles.
    fileprivate var departures: [BundleIdentifier] { steps.filter { $0.to == nil }.map(\.identifier) }
}
