import BundleFormat
import Registry
import HostSystem
public import PluginCore
public import PluginRuntime

/// The checks of a sandbox.
///
/// ```swift
/// let findings = Checkup(of: manager).findings()
/// ```
public struct Checkup: Sendable {
    private let manager: Host
    let offers: OfferedVersions

    private var sandbox: Sandbox { manager.sandbox }
    var registry: Registry { manager.registry }
    private var policy: LoadPolicy { manager.policy }

    /// Creates the checks of a manager's sandbox.
    public init(of manager: Host) {
        self.manager = manager
        offers = manager.offers
    }

    /// Runs all checks, without changing anything.
    ///
    /// A check that fails results in a finding and doesn't affect the others. A registry that another process has locked is
    /// waited for once, at most five seconds.
    ///
    /// - Parameters:
    ///   - members: returns the bundles of the app's composition.
    ///   - others: what a host has found about layers that this module does not know.
    ///   - whenWaiting: called before waiting for a locked registry.
    /// - Returns: at least one finding of each check but that of the confinement, in the order of ``CheckupFinding/Check``.
    public func findings(
        of members: () throws(AtriumError) -> [ComposedBundle] = { [] }, adding others: [CheckupFinding] = [],
        whenWaiting: () -> Void = {}
    ) -> [CheckupFinding] {
        var isLocked = isLocked(waiting: .zero)
        if isLocked {
            whenWaiting()
            isLocked = self.isLocked(waiting: Registry.patience)
        }
        return Registry.$patience.withValue(isLocked ? .zero : Registry.patience) { allFindings(members) } + others
    }

    private func isLocked(waiting patience: Duration) -> Bool {
        Registry.$patience.withValue(patience) {
            do throws(AtriumError) {
                try registry.requireKept()
                return false
            } catch {
                return error.code == .sandboxBusy
            }
        }
    }

    /// A check, the reason for the finding that nothing is wrong, and the search for others.
    private typealias Search = (
        check: CheckupFinding.Check, fine: String, run: (inout CheckFindings) throws(AtriumError) -> Void
    )

    private var searches: [Search] {
        [
            (.sandbox, "foldersFine", checkSandbox), (.lock, "noChange", checkLock),
            (.registry, "registryIntact", checkRegistry), (.trust, "trustReadable", checkTrust),
            (.versions, "versionsSealed", checkVersions), (.requirements, "requirementsMet", checkRequirements),
            (.staged, "noneStaged", checkStaged), (.quarantine, "noneQuarantined", checkQuarantine),
            (.leftovers, "noLeftovers", checkLeftovers), (.catalog, "catalogReadable", checkCatalog),
        ]
    }

    private func allFindings(_ members: () throws(AtriumError) -> [ComposedBundle]) -> [CheckupFinding] {
        searches.flatMap { findings(of: $0.check, fine: $0.fine, $0.run) }
            + findings(of: .composition, fine: "compositionComplete") { findings throws(AtriumError) in
                for bundle in try members() { try check(bundle, &findings) }
            }
    }

    private func findings(
        of check: CheckupFinding.Check, fine: String, _ run: (inout CheckFindings) throws(AtriumError) -> Void
    ) -> [CheckupFinding] {
        var findings = CheckFindings(check)
        do {
            try run(&findings)
        } catch {
            findings = CheckFindings(check)
            add(error, to: &findings)
        }
        if findings.all.isEmpty { findings.add(.fine, "", reason: fine) }
        return findings.all
    }

    /// Adds the finding for an error, such as that of a check that couldn't be made.
    private func add(_ error: AtriumError, to findings: inout CheckFindings) {
        let remedy: Remedy? =
            switch error.reason?.name {
            case "metadataExpired": .command(.refreshCatalogs)
            case "rootNotPinned": .advice(reason: "pinRoot")
            default: remedy(for: error.code)
            }
        findings.add(.wrong, error.subject, error.summary, remedy: remedy)
    }

    private func remedy(for code: AtriumError.Code) -> Remedy? {
        switch code {
        case .registryDamaged: .command(.rebuildRegistry)
        case .registryNewer: .advice(reason: "runNewerHost")
        case .trustInvalid: .advice(reason: "restoreTrustStore")
        case .compositionInvalid, .fileUnknown: .advice(reason: "correctComposition")
        case .catalogUnreachable: .advice(ErrorReason(offers.catalog.isRemote ? "checkConnection" : "chooseCatalog"))
        case .catalogUntrusted: .advice(reason: "askCatalogOwner")
        // Missing access to the sandbox implies missing access to everything in it.
        case .sandboxUnwritable: .advice(FileSystem.obstacle(in: sandbox.root)?.remedy ?? FileSystem.askForAccess)
        case .sandboxUnusable: .advice(reason: "choosePlace")
        case .sandboxBusy: .advice(reason: "waitForProcess")
        case .inputOutput: .advice(reason: "checkDisk")
        default: nil
        }
    }

    /// The amount of free space below which an install is likely to fail, in bytes.
    private static var littleSpace: UInt64 { 64 << 20 }

    private func checkSandbox(_ findings: inout CheckFindings) {
        // The contents of an inaccessible folder can't be checked.
        if let (what, remedy) = FileSystem.obstacle(in: sandbox.root) {
            return findings.add(.wrong, sandbox.root, what, remedy: .advice(remedy))
        }
        if (try? FileSystem.item(at: sandbox.root)) == nil {
            return findings.add(.notice, sandbox.root, reason: "createdByFirstInstall")
        }
        checkPlace(&findings)
        checkLinks(&findings)
        for folder in [sandbox.plugins, sandbox.staging] {
            guard let (what, remedy) = FileSystem.obstacle(in: folder) else { continue }
            findings.add(.wrong, folder, what, remedy: .advice(remedy))
        }
        if let space = FileSystem.space(at: sandbox.root), space < Self.littleSpace {
            findings.add(
                .wrong, sandbox.root, reason: "littleSpace", ["size": .integer(Int(space >> 20))],
                remedy: .advice(reason: "freeSpace"))
        }
    }

    private func checkLock(_ findings: inout CheckFindings) throws(AtriumError) {
        if let owner = try WriterLock.owner(of: sandbox) {
            findings.add(.notice, owner, reason: "changesSandbox")
        }
    }

    private func checkRegistry(_ findings: inout CheckFindings) throws(AtriumError) {
        try registry.requireKept()
        for damage in try registry.damage() {
            findings.add(.wrong, sandbox.registry, damage, remedy: .command(.rebuildRegistry))
        }
    }

    private func checkTrust(_ findings: inout CheckFindings) throws(AtriumError) {
        if try policy.planner.verification.trustsAnyone() { return }
        findings.add(.notice, "", reason: "noTeamTrusted", remedy: .advice(reason: "trustTeam"))
    }

    /// Adds the reasons why no sandbox can work at this path.
    private func checkPlace(_ findings: inout CheckFindings) {
        let checks = [
            Result { () throws(AtriumError) in try sandbox.requireShortPath() },
            Result { () throws(AtriumError) in try FileSystem.requireExecution(in: sandbox.plugins) },
        ]
        for case .failure(let error) in checks { add(error, to: &findings) }
    }

    private func checkLinks(_ findings: inout CheckFindings) {
        // A folder that can't be listed is reported separately.
        let bundles = ((try? FileSystem.names(in: sandbox.plugins)) ?? []).map { sandbox.plugins.appending($0) }
        var links: Set<String> = []
        for folder in sandbox.folders + bundles {
            do {
                try sandbox.requireOwn([folder])
            } catch {
                // Several folders may have the same link in their paths.
                guard links.insert(error.subject).inserted else { continue }
                findings.add(.wrong, error.subject, error.summary, remedy: .advice(reason: "replaceLink"))
            }
        }
    }

    private func checkVersions(_ findings: inout CheckFindings) throws(AtriumError) {
        for bundle in try registry.versions.all() {
            let identity = bundle.identity
            let found = try policy.reportedFindings(about: bundle)
            if let unread = found.first(where: \.isUnread) {
                findings.add(.wrong, identity, unread.problem, remedy: remedy(for: unread.code))
            } else if !found.isEmpty {
                // A single call for all findings, because it verifies the whole version again.
                let (remedy, isNeeded) = try remedy(for: bundle)
                for one in found { findings.add(isNeeded ? .wrong : .notice, identity, one.problem, remedy: remedy) }
            }
            // The rollback target may be below it.
            let isActive = try registry.active.version(of: identity.identifier) == bundle
            if isActive, found.isEmpty { try checkHost(of: bundle, &findings) }
            if isActive, let minimumVersion = try registry.notes.minimumVersion(of: identity.identifier),
                identity.version < minimumVersion
            {
                findings.add(.notice, identity, reason: "belowMinimum", ["version": "\(minimumVersion)"])
            }
        }
    }

    /// Returns a finding for each active version that another host could not load, for a check before the host is upgraded.
    ///
    /// The symbols of the other host are unknown, so a version without a finding may lack one.
    ///
    /// - Throws: as ``Host/unloadable()``.
    public func findings(for host: String, by check: any LibraryCheck) throws(AtriumError) -> [CheckupFinding] {
        var findings = CheckFindings(.versions)
        for installed in try registry.active.all() { try checkHost(host, check, of: installed.active, &findings) }
        if findings.all.isEmpty { findings.add(.fine, host, reason: "hostLoadsAll") }
        return findings.all
    }

    /// Adds a finding if a host, by default this one, cannot load an active version.
    private func checkHost(
        _ host: String? = nil, _ check: (any LibraryCheck)? = nil, of bundle: PluginBundle,
        _ findings: inout CheckFindings
    ) throws(AtriumError) {
        let refusal = try policy.loadRefusal(of: bundle, by: check)
        // The check of the requirements reports those.
        guard let refusal, ![.dependencyUnmet, .dependencyConflict].contains(refusal.code) else { return }
        let identifier = bundle.identifier
        var remedy = Remedy.advice(ErrorReason(host == nil ? "buildForThisHost" : "buildForThatHost"))
        if host == nil, let plan = try? offers.plan([.update(identifier)]), !plan.isEmpty {
            remedy = .command(.update(identifier))
        }
        let name = host.map(ErrorReason.Value.text) ?? .reason(ErrorReason("thisHost"))
        findings.add(
            .wrong, bundle.identity, reason: "hostCannotLoad", ["host": name, "problem": .reason(refusal.summary)],
            remedy: remedy)
    }

    private func checkStaged(_ findings: inout CheckFindings) throws(AtriumError) {
        for report in try manager.transactions.staged.reports() {
            let identifier = report.bundle.identifier
            let obstacle = report.obstacle.map { obstacle in
                ErrorReason("because", ["reason": .reason(report.reason), "problem": .reason(obstacle.summary)])
            }
            findings.add(
                .notice, identifier, obstacle ?? report.reason,
                remedy: obstacle == nil ? nil : .advice(reason: "stageMatchingVersion"))
        }
    }

    private func checkRequirements(_ findings: inout CheckFindings) throws(AtriumError) {
        for bundle in try registry.active.all().map(\.active) {
            let owner = bundle.identifier
            for requirement in bundle.requirements where !requirement.isOnDemand {
                let (version, values) = try registry.state(of: requirement)
                if let version, requirement.versions.contains(version) { continue }
                let remedy = remedy(for: requirement, of: owner, isInstalled: version != nil)
                findings.add(.wrong, owner, ErrorReason("itNeeds", values), remedy: remedy)
            }
        }
    }

    /// Returns the remedy for a damaged version.
    private func remedy(
        for bundle: PluginBundle
    ) throws(AtriumError) -> (action: Remedy, isNeeded: Bool) {
        let (identity, identifier) = (bundle.identity, bundle.identifier)
        if try registry.staged.version(of: identifier) == bundle {
            return (.advice(reason: "goesAtNextStart"), false)
        }
        guard let installed = try registry.active.bundle(identifier),
            [installed.active, installed.previous].contains(bundle)
        else { return (.command(.collectGarbage), false) }
        // Another host has stored its own libraries, as before an upgrade.
        if installed.active == bundle, try offers.fetchesLibraries(of: bundle) {
            return (.command(.update(identifier)), true)
        }
        let damage = try policy.damage(to: bundle)
        if let damage, !policy.planner.verification.distrustCodes.contains(damage.code) || isOffered(bundle) {
            return (.command(.installAgain(identity)), true)
        }
        if installed.active == bundle { return (.advice(reason: "runWhy", ["bundle": .text(identifier)]), true) }
        return (.advice(reason: "noUseNoRemedy"), false)
    }

    /// Returns whether the catalog has a version with the same seal and a trusted signer.
    private func isOffered(_ bundle: PluginBundle) -> Bool {
        (try? offers.planner.sealed(offers.catalog.package(bundle.identity), for: .load))?.digest == bundle.digest
    }

    /// Returns the remedy for an unmet requirement.
    private func remedy(
        for requirement: BundleRequirement, of owner: BundleIdentifier, isInstalled: Bool
    ) -> Remedy {
        let needed = requirement.identifier
        guard isInstalled else { return .command(.install(needed)) }
        if let plan = try? offers.plan([.update(owner)]), !plan.isEmpty {
            return .command(.update(owner))
        }
        let previous = (try? registry.active.bundle(needed))?.previous?.version
        if let previous, requirement.versions.contains(previous) {
            return .command(.rollback(needed))
        }
        return .advice(reason: "runWhy", ["bundle": .text(owner)])
    }

    private func checkQuarantine(_ findings: inout CheckFindings) throws(AtriumError) {
        let put = try registry.quarantine.all()
        let coming = try manager.transactions.quarantine.crashedVersions(sweeping: false).map(\.crash)
        for crash in put {
            findings.add(.notice, crash.identity, crash.reason, remedy: .command(.unblock(crash.identity)))
        }
        for crash in coming {
            findings.add(.notice, crash.identity, reason: "toBeQuarantined", ["crash": .reason(crash.reason)])
        }
    }

    private func checkLeftovers(_ findings: inout CheckFindings) throws(AtriumError) {
        var leftovers: [FilePath] = []
        if let plugins = try sandbox.openedUnlessLinked(sandbox.plugins) {
            for identifier in try plugins.names() {
                let unlisted = try policy.installer.collector.unlisted(in: identifier, of: plugins)
                leftovers += unlisted.map { $0.place.path.appending($0.name.words) }
            }
        }
        leftovers += try sandbox.oldRegistries()
        // During an install, the files in the staging folder are in use.
        if (try? WriterLock.owner(of: sandbox)) == nil {
            leftovers += try sandbox.registryLeftovers().filter { !leftovers.contains($0) }
            let staged = try sandbox.openedUnlessLinked(sandbox.staging)?.names() ?? []
            leftovers += staged.map { sandbox.staging.appending($0.words) }
        }
        for path in leftovers {
            findings.add(.notice, path, reason: "leftover", remedy: .command(.collectGarbage))
        }
    }

    private func checkCatalog(_ findings: inout CheckFindings) throws(AtriumError) {
        // A catalog on a server may have any number of packages.
        if offers.catalog.isRemote {
            checkExpiries(&findings)
            do {
                try offers.catalog.requireReachable()
            } catch {
                let isReported = findings.all.contains { $0.severity == .wrong && $0.subject == error.subject }
                if error.reason?.name != "metadataExpired" || !isReported { add(error, to: &findings) }
            }
            return
        }
        for problem in try offers.catalog.listing().problems {
            // The error concerns a layer of the catalog, not a package.
            if problem.code == .catalogUnreachable {
                add(problem, to: &findings)
            } else {
                findings.add(.notice, problem.subject, problem.summary, remedy: .advice(reason: "packAgain"))
            }
        }
    }

    /// Adds the roles of published catalogs that have expired or expire soon, according to the trusted metadata on the disk.
    private func checkExpiries(_ findings: inout CheckFindings) {
        let now = Int(Clock.now())
        for expiry in offers.catalog.expiries where expiry.warning <= now {
            let isOver = expiry.seconds <= now
            findings.add(
                isOver ? .wrong : .notice, expiry.catalog, reason: isOver ? "roleExpired" : "roleExpires",
                ["role": .text(expiry.role), "time": .text(expiry.text)],
                remedy: isOver ? .command(.refreshCatalogs) : .advice(reason: "askToRenew"))
        }
    }
}
