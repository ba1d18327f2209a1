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
    private let sandbox: Sandbox
    private let registry: Registry
    private let offers: OfferedVersions
    private let planner: ChangePlanner
    private let policy: LoadPolicy
    private let staged: StagedUpdates
    private let quarantine: CrashQuarantine

    /// Creates the checks of a manager's sandbox.
    public init(of manager: BundleManager) {
        sandbox = manager.sandbox
        registry = manager.registry
        offers = manager.offers
        planner = manager.policy.planner
        policy = manager.policy
        staged = manager.transactions.staged
        quarantine = manager.transactions.quarantine
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
        guard isLocked(waiting: .zero) else { return allFindings(members) + others }
        whenWaiting()
        guard isLocked(waiting: Registry.patience) else { return allFindings(members) + others }
        return Registry.$patience.withValue(.zero) { allFindings(members) } + others
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

    private func allFindings(_ members: () throws(AtriumError) -> [ComposedBundle]) -> [CheckupFinding] {
        var findings: [CheckupFinding] = []
        for check in CheckupFinding.Check.allCases where check != .confinement {
            let found = self.findings(of: check, members)
            findings += found.isEmpty ? [CheckupFinding(check, .fine, "", Self.praise(of: check))] : found
        }
        return findings
    }

    private func findings(
        of check: CheckupFinding.Check, _ members: () throws(AtriumError) -> [ComposedBundle]
    ) -> [CheckupFinding] {
        do throws(AtriumError) {
            switch check {
            case .sandbox: return sandboxFindings()
            case .lock: return try lockFindings()
            case .registry: return try registryFindings()
            case .trust: return try trustFindings()
            case .versions: return try versionFindings()
            case .requirements: return try requirementFindings()
            case .staged: return try stagedFindings()
            case .quarantine: return try quarantineFindings()
            case .leftovers: return try leftoverFindings()
            case .catalog: return try catalogFindings()
            case .composition: return try CompositionCheck(registry: registry, offers: offers).findings(of: members())
            case .confinement: return []
            }
        } catch {
            return [finding(check, error)]
        }
    }

    /// Returns the finding for a check that couldn't be made.
    private func finding(_ check: CheckupFinding.Check, _ error: AtriumError) -> CheckupFinding {
        let remedy: Remedy? =
            switch error.reason?.name {
            case "metadataExpired": .command(.refreshCatalogs)
            case "rootNotPinned": .advice(ErrorReason("pinRoot"))
            default: remedy(for: error.code)
            }
        return CheckupFinding(check, .wrong, error.subject, error.summary, remedy: remedy)
    }

    private static func praise(of check: CheckupFinding.Check) -> ErrorReason {
        switch check {
        case .sandbox: ErrorReason("foldersFine")
        case .lock: ErrorReason("noChange")
        case .registry: ErrorReason("registryIntact")
        case .trust: ErrorReason("trustReadable")
        case .versions: ErrorReason("versionsSealed")
        case .requirements: ErrorReason("requirementsMet")
        case .staged: ErrorReason("noneStaged")
        case .quarantine: ErrorReason("noneQuarantined")
        case .leftovers: ErrorReason("noLeftovers")
        case .catalog: ErrorReason("catalogReadable")
        case .composition: ErrorReason("compositionComplete")
        case .confinement: ErrorReason("confinementFull")
        }
    }

    private func remedy(for code: AtriumError.Code) -> Remedy? {
        switch code {
        case .registryDamaged: .command(.rebuildRegistry)
        case .registryNewer: .advice(ErrorReason("runNewerHost"))
        case .trustInvalid: .advice(ErrorReason("restoreTrustStore"))
        case .compositionInvalid, .fileUnknown: .advice(ErrorReason("correctComposition"))
        case .catalogUnreachable: .advice(ErrorReason(offers.catalog.isRemote ? "checkConnection" : "chooseCatalog"))
        case .catalogUntrusted: .advice(ErrorReason("askCatalogOwner"))
        // Missing access to the sandbox implies missing access to everything in it.
        case .sandboxUnwritable: .advice(FileSystem.access(to: sandbox.root).fault?.remedy ?? FileSystem.Access.right)
        case .sandboxUnusable: .advice(ErrorReason("choosePlace"))
        case .sandboxBusy: .advice(ErrorReason("waitForProcess"))
        case .inputOutput: .advice(ErrorReason("checkDisk"))
        default: nil
        }
    }
}

extension Checkup {
    /// The amount of free space below which an install is likely to fail, in bytes.
    private static var littleSpace: UInt64 { 64 << 20 }

    private func sandboxFindings() -> [CheckupFinding] {
        let access = FileSystem.access(to: sandbox.root)
        if access == .missing {
            return [
                CheckupFinding(
                    .sandbox, .notice, sandbox.root.string, ErrorReason("createdByFirstInstall"))
            ]
        }
        // The contents of an inaccessible folder can't be checked.
        if let fault = access.fault {
            return [CheckupFinding(.sandbox, .wrong, sandbox.root.string, fault.what, remedy: .advice(fault.remedy))]
        }
        var findings = placeFindings() + linkFindings()
        findings += [sandbox.plugins, sandbox.staging].compactMap { folder in
            FileSystem.access(to: folder).fault.map {
                CheckupFinding(.sandbox, .wrong, folder.string, $0.what, remedy: .advice($0.remedy))
            }
        }
        if let space = FileSystem.space(at: sandbox.root), space < Self.littleSpace {
            findings.append(
                CheckupFinding(
                    .sandbox, .wrong, sandbox.root.string,
                    ErrorReason("littleSpace", ["size": .integer(Int(space >> 20))]),
                    remedy: .advice(ErrorReason("freeSpace"))))
        }
        return findings
    }

    /// Returns the reasons why no sandbox can work at this path.
    private func placeFindings() -> [CheckupFinding] {
        var findings: [CheckupFinding] = []
        for check in [
            sandbox.requireShortPath,
            { () throws(AtriumError) in try FileSystem.requireExecution(in: self.sandbox.plugins) },
        ] {
            do throws(AtriumError) {
                try check()
            } catch {
                findings.append(finding(.sandbox, error))
            }
        }
        return findings
    }

    private func linkFindings() -> [CheckupFinding] {
        // A folder that can't be listed is reported separately.
        let bundles = ((try? FileSystem.names(in: sandbox.plugins)) ?? []).map { sandbox.plugins.appending($0) }
        var findings: [CheckupFinding] = []
        for folder in sandbox.folders + bundles {
            do throws(AtriumError) {
                try sandbox.requireOwn([folder])
            } catch {
                // Several folders may have the same link in their paths.
                guard !findings.contains(where: { $0.subject == error.subject }) else { continue }
                findings.append(
                    CheckupFinding(
                        .sandbox, .wrong, error.subject, error.summary,
                        remedy: .advice(ErrorReason("replaceLink"))))
            }
        }
        return findings
    }

    private func lockFindings() throws(AtriumError) -> [CheckupFinding] {
        try WriterLock.certainOwner(of: sandbox).map {
            [CheckupFinding(.lock, .notice, $0, ErrorReason("changesSandbox"))]
        } ?? []
    }

    private func registryFindings() throws(AtriumError) -> [CheckupFinding] {
        try registry.requireKept()
        return try registry.damage().map {
            CheckupFinding(.registry, .wrong, sandbox.registry.string, $0, remedy: .command(.rebuildRegistry))
        }
    }

    private func trustFindings() throws(AtriumError) -> [CheckupFinding] {
        if try planner.verification.trustsAnyone() { return [] }
        return [
            CheckupFinding(
                .trust, .notice, "", ErrorReason("noTeamTrusted"), remedy: .advice(ErrorReason("trustTeam")))
        ]
    }

    private func versionFindings() throws(AtriumError) -> [CheckupFinding] {
        var findings: [CheckupFinding] = []
        for bundle in try registry.versions.all() {
            let identity = bundle.identity
            let found = try policy.reportedFindings(about: bundle)
            if let unread = found.first(where: \.isUnread) {
                findings.append(
                    CheckupFinding(
                        .versions, .wrong, identity.description, unread.problem, remedy: remedy(for: unread.code)))
            } else if !found.isEmpty {
                // A single call for all findings, because it verifies the whole version again.
                let remedy = try remedy(for: bundle)
                findings += found.map {
                    CheckupFinding(
                        .versions, remedy.isNeeded ? .wrong : .notice, identity.description, $0.problem,
                        remedy: remedy.action)
                }
            }
            // The rollback target may be below it.
            let isActive = try registry.active.version(of: identity.identifier) == bundle
            if isActive, found.isEmpty { findings += try hostFindings(about: bundle) }
            if isActive, let minimumVersion = try registry.minimumVersions.version(of: identity.identifier),
                identity.version < minimumVersion
            {
                findings.append(
                    CheckupFinding(
                        .versions, .notice, identity.description,
                        ErrorReason("belowMinimum", ["version": "\(minimumVersion)"])))
            }
        }
        return findings
    }

    /// Returns a finding for each active version that another host could not load, for a check before the host is upgraded.
    ///
    /// The symbols of the other host are unknown, so a version without a finding may lack one.
    ///
    /// - Throws: as ``BundleManager/unloadable()``.
    public func findings(for host: String, by check: any LibraryCheck) throws(AtriumError) -> [CheckupFinding] {
        var findings: [CheckupFinding] = []
        for installed in try registry.active.all() {
            findings += try hostFindings(about: installed.active, host, check)
        }
        return findings.isEmpty ? [CheckupFinding(.versions, .fine, host, ErrorReason("hostLoadsAll"))] : findings
    }

    /// Returns the finding about an active version that a host, by default this one, cannot load.
    private func hostFindings(
        about bundle: PluginBundle, _ host: String? = nil, _ check: (any LibraryCheck)? = nil
    ) throws(AtriumError) -> [CheckupFinding] {
        let refusal = try policy.loadRefusal(of: bundle, by: check)
        // The check of the requirements reports those.
        guard let refusal, ![.dependencyUnmet, .dependencyConflict].contains(refusal.code) else { return [] }
        let identifier = bundle.identity.identifier
        var remedy = Remedy.advice(ErrorReason(host == nil ? "buildForThisHost" : "buildForThatHost"))
        if host == nil, let plan = try? offers.plan([.update(identifier)]), !plan.isEmpty {
            remedy = .command(.update(identifier))
        }
        let name = host.map(ErrorReason.Value.text) ?? .reason(ErrorReason("thisHost"))
        let what = ErrorReason("hostCannotLoad", ["host": name, "problem": .reason(refusal.summary)])
        return [CheckupFinding(.versions, .wrong, bundle.identity, what, remedy: remedy)]
    }

    private func stagedFindings() throws(AtriumError) -> [CheckupFinding] {
        try staged.reports().map { report in
            let what = report.obstacle.map {
                ErrorReason("because", ["reason": .reason(report.reason), "problem": .reason($0.summary)])
            }
            return CheckupFinding(
                .staged, .notice, report.bundle.identity.identifier, what ?? report.reason,
                remedy: report.obstacle.map { _ in .advice(ErrorReason("stageMatchingVersion")) })
        }
    }

    private func requirementFindings() throws(AtriumError) -> [CheckupFinding] {
        var findings: [CheckupFinding] = []
        for (owner, requirements) in try registry.requirements.all().sorted(by: { $0.key < $1.key }) {
            for requirement in requirements where !requirement.isOnDemand {
                let version = try registry.active.version(of: requirement.identifier)?.identity.version
                if let version, requirement.versions.contains(version) { continue }
                let state = version.map { ErrorReason.versionActive($0) } ?? ErrorReason("notInstalled")
                findings.append(
                    CheckupFinding(
                        .requirements, .wrong, owner,
                        ErrorReason(
                            "itNeeds",
                            [
                                "bundle": .text(requirement.identifier), "versions": "\(requirement.versions)",
                                "state": .reason(state),
                            ]),
                        remedy: remedy(for: requirement, of: owner, isInstalled: version != nil)))
            }
        }
        return findings
    }

    /// Returns the remedy for a damaged version.
    private func remedy(
        for bundle: PluginBundle
    ) throws(AtriumError) -> (action: Remedy, isNeeded: Bool) {
        let (identity, identifier) = (bundle.identity, bundle.identity.identifier)
        if try registry.staged.version(of: identifier) == bundle {
            return (.advice(ErrorReason("goesAtNextStart")), false)
        }
        guard let installed = try registry.active.bundle(identifier),
            [installed.active, installed.previous].contains(bundle)
        else { return (.command(.collectGarbage), false) }
        let damage = try policy.damage(to: bundle)
        if let damage, !planner.verification.distrustCodes.contains(damage.code) || isOffered(bundle) {
            return (.command(.installAgain(identity)), true)
        }
        if installed.active == bundle { return (.advice(ErrorReason("runWhy", ["bundle": .text(identifier)])), true) }
        return (.advice(ErrorReason("noUseNoRemedy")), false)
    }

    /// Returns whether the catalog has a version with the same seal and a trusted signer.
    private func isOffered(_ bundle: PluginBundle) -> Bool {
        (try? offers.sealed(bundle.identity, for: .load))?.digest == bundle.digest
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
        let previous = (try? registry.active.bundle(needed))?.previous?.identity.version
        if let previous, requirement.versions.contains(previous) {
            return .command(.rollback(needed))
        }
        return .advice(ErrorReason("runWhy", ["bundle": .text(owner)]))
    }

    private func quarantineFindings() throws(AtriumError) -> [CheckupFinding] {
        let put = try registry.quarantine.all()
        let coming = try quarantine.crashedVersions(sweeping: false).map(\.crash)
        return put.map {
            CheckupFinding(
                .quarantine, .notice, $0.identity.description, $0.reason,
                remedy: .command(.unblock($0.identity)))
        }
            + coming.map {
                CheckupFinding(
                    .quarantine, .notice, $0.identity.description,
                    ErrorReason("toBeQuarantined", ["crash": .reason($0.reason)]))
            }
    }

    private func leftoverFindings() throws(AtriumError) -> [CheckupFinding] {
        let named = Set(try registry.versions.all().map { sandbox.folder(of: $0).string })
        var leftovers = try unnamed(besides: named)
        leftovers += try sandbox.oldRegistries()
        // During an install, the files in the staging folder are in use.
        if WriterLock.owner(of: sandbox) == nil {
            leftovers += try sandbox.registryLeftovers().filter { !leftovers.contains($0) }
            leftovers += try namesInStaging().map { sandbox.staging.appending($0.words) }
        }
        return leftovers.map {
            CheckupFinding(
                .leftovers, .notice, $0.string, ErrorReason("leftover"), remedy: .command(.collectGarbage))
        }
    }

    private func namesInStaging() throws(AtriumError) -> [EntryName] {
        guard let staging = try sandbox.openedUnlessLinked(sandbox.staging) else { return [] }
        return try staging.names()
    }

    /// Returns items in the folder of versions that the registry doesn't list and that garbage collection would remove.
    private func unnamed(besides named: Set<String>) throws(AtriumError) -> [FilePath] {
        var found: [FilePath] = []
        guard let plugins = try sandbox.openedUnlessLinked(sandbox.plugins) else { return [] }
        for identifier in try plugins.names() {
            let path = plugins.path.appending(identifier.words)
            if case .file = try plugins.item(identifier) { found.append(path) }
            guard let place = try plugins.opened(identifier) else { continue }
            for name in try place.names() where !named.contains(path.appending(name.words).string) {
                switch try place.item(name) {
                case .file, .folder: found.append(path.appending(name.words))
                case .link, .other, nil: continue
                }
            }
        }
        return found
    }

    private func catalogFindings() throws(AtriumError) -> [CheckupFinding] {
        // A catalog on a server may have any number of packages.
        if offers.catalog.isRemote {
            var findings = expiryFindings()
            do throws(AtriumError) {
                try offers.catalog.requireReachable()
            } catch {
                let isReported = findings.contains { $0.severity == .wrong && $0.subject == error.subject }
                if error.reason?.name != "metadataExpired" || !isReported { findings.append(finding(.catalog, error)) }
            }
            return findings
        }
        let listing = try offers.catalog.listing()
        return listing.problems.map {
            // The error concerns a layer of the catalog, not a package.
            if $0.code == .catalogUnreachable { return finding(.catalog, $0) }
            return CheckupFinding(
                .catalog, .notice, $0.subject, $0.summary, remedy: .advice(ErrorReason("packAgain")))
        }
    }

    /// Returns the roles of published catalogs that have expired or expire soon, according to the trusted metadata on the disk.
    private func expiryFindings() -> [CheckupFinding] {
        let now = Int(Clock.now())
        return offers.catalog.expiries.filter { $0.warning <= now }.map { expiry in
            let values: [String: ErrorReason.Value] = ["role": .text(expiry.role), "time": .text(expiry.text)]
            return expiry.seconds <= now
                ? CheckupFinding(
                    .catalog, .wrong, expiry.catalog, ErrorReason("roleExpired", values),
                    remedy: .command(.refreshCatalogs))
                : CheckupFinding(
                    .catalog, .notice, expiry.catalog, ErrorReason("roleExpires", values),
                    remedy: .advice(ErrorReason("askToRenew")))
        }
    }
}

extension FileSystem.Access {
    /// The finding about a required folder with its remedy; `nil` when it is usable or doesn't exist yet.
    var fault: (what: ErrorReason, remedy: ErrorReason)? {
        switch self {
        case .usable, .missing: nil
        case .noFolder: (ErrorReason("noFolderThere"), Self.wayOut)
        case .denied: (ErrorReason("accessDenied"), Self.right)
        case .blocked:
            (ErrorReason("pathBlocked"), Self.wayOut)
        case .failed(let number):
            (
                ErrorReason("readingAttributesFailed", ["message": .text(FileSystem.message(number))]),
                ErrorReason("checkItsDisk")
            )
        }
    }

    /// The remedy for missing permissions.
    fileprivate static let right =
        ErrorReason("askForAccess")

    private static let wayOut = ErrorReason("moveItAway")
}
