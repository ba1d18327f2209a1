import HostSystem
public import PluginCore
public import PluginRuntime
public import Registry

/// The reasons for a bundle's state: why it isn't offered, installed, the newest version or loadable, and which bundles need it.
public struct BundleDiagnosis: Sendable {
    /// The topic of a finding.
    public enum Topic: String, Sendable, CaseIterable {
        /// The version in the registry.
        case installed
        /// The data version, and the one that was used last.
        case data
        /// The version that becomes active when a host starts next.
        case staged
        /// Versions that have crashed a host and are not offered again.
        case quarantined
        /// The versions to which it may be updated.
        case pinned
        /// The versions in the catalog.
        case offered
        /// Reasons why offered versions can't be installed.
        case refused
        /// The requirements of the active version.
        case needs
        /// The bundles that need this one.
        case neededBy
        /// The state of the files on the disk, and whether this host could load the library.
        case code
    }

    /// A finding of a diagnosis.
    public struct Finding: Sendable {
        /// The topic of the finding.
        public let topic: Topic
        /// The description of the finding.
        public let reason: ErrorReason
        /// The error that the finding describes, if any.
        public let obstacle: AtriumError?
        /// A command of the host that helps, as a reason, in addition to the remedy of the obstacle.
        public var remedy: ErrorReason?
    }

    /// The identifier of the bundle.
    public let identifier: BundleIdentifier
    /// The active version, if any.
    public let active: SemanticVersion?
    /// The newest version that can be installed, if it is newer than the active and the staged version.
    public let installable: SemanticVersion?
    /// All findings, grouped by topic.
    public let findings: [Finding]

    /// The errors of all findings.
    public var obstacles: [AtriumError] { findings.compactMap(\.obstacle) }
}

extension Host {
    /// Diagnoses the state of a bundle, without running any of its code.
    ///
    /// - Parameter offers: The offers of the catalog, by default those that are known.
    /// - Throws: ``AtriumError`` with code `bundleUnknown` for a bundle that was never installed and isn't offered, and the
    ///   errors of the registry.
    public func diagnosis(
        of identifier: BundleIdentifier, in offers: OfferedVersions? = nil
    ) throws(AtriumError) -> BundleDiagnosis {
        try Diagnosis(manager: self, offers: offers ?? self.offers).diagnosis(of: identifier)
    }
}

/// The diagnosis of bundles, without running any of their code.
private struct Diagnosis {
    private typealias Finding = BundleDiagnosis.Finding

    let manager: Host
    let offers: OfferedVersions

    private var policy: LoadPolicy { manager.policy }
    private var sandbox: Sandbox { policy.sandbox }
    private var registry: Registry { policy.registry }

    func diagnosis(of identifier: BundleIdentifier) throws(AtriumError) -> BundleDiagnosis {
        let installed = try registry.active.bundle(identifier)
        var findings = [try finding(about: installed, identifier)]
        findings += try data(of: installed?.active, identifier)
        let staged = try manager.transactions.staged.reports().first { $0.bundle.identifier == identifier }
        if let staged { findings.append(Finding(.staged, staged.reason, obstacle: staged.obstacle)) }
        findings += try quarantined(identifier, installed)
        if let pin = try registry.notes.notes(about: identifier).pin?.reason { findings.append(Finding(.pinned, pin)) }
        let versions = [installed?.active, staged?.bundle].compactMap { $0?.version }
        var installable: SemanticVersion?
        var refused: [Finding] = []
        do throws(AtriumError) {
            let offered = try offers.catalog.versions(of: identifier)
            if offered.isEmpty { try offers.catalog.requireReachable() }
            if offered.isEmpty, versions.isEmpty, try registry.history.all(of: identifier).isEmpty {
                throw try offers.unknown(identifier.text)
            }
            let active = installed?.active.version
            findings.append(Finding(.offered, Self.reason(for: offered, after: active)))
            let newer = offered.filter { version in
                versions.allSatisfy { $0 < version } && version.isForAnybody(after: active, among: offered)
            }
            let candidates = try offers.updateCandidates(of: identifier, among: newer)
            installable = candidates.reachable
            refused = candidates.refusals.map { Finding(.refused, $0) }
            if candidates.others > 0 {
                refused.append(Finding(.refused, reason: "more", ["count": .integer(candidates.others)]))
            }
            if let active = installed?.active, let other = try offers.otherContent(of: active) {
                refused.append(Finding(.refused, other))
            }
            try offers.catalog.requireReachable()
        } catch {
            guard error.code == .catalogUnreachable else { throw error }
            findings.append(Finding(.offered, error))
        }
        findings += refused
        if let active = installed?.active {
            findings += try needs(of: active)
            findings.append(code(of: active))
        }
        findings += try dependents(on: identifier)
        if try manager.transactions.uninstall.unneeded().contains(where: { $0.identifier == identifier }) {
            findings.append(Finding(.neededBy, reason: "unneeded", remedy: ErrorReason("runAutoremove")))
        }
        return BundleDiagnosis(
            identifier: identifier, active: installed?.active.version, installable: installable,
            findings: findings)
    }

    private func data(of active: PluginBundle?, _ identifier: BundleIdentifier) throws(AtriumError) -> [Finding] {
        guard let active, let used = try DataFolders(of: identifier, in: sandbox).use()?.last,
            active.dataVersion > 0 || used > 0
        else { return [] }
        return [
            Finding(
                .data, reason: "dataVersionOf",
                ["version": "\(active.version)", "number": .integer(active.dataVersion), "used": .integer(used)])
        ]
    }

    private func finding(
        about installed: InstalledBundle?, _ identifier: BundleIdentifier
    ) throws(AtriumError) -> Finding {
        guard let installed else {
            let last = try registry.history.all(of: identifier).last { $0.event != .staged }
            guard let last else { return Finding(.installed, reason: "notInstalled") }
            return Finding(
                .installed, reason: "notInstalledSince",
                ["event": .text(last.event.rawValue), "version": "\(last.version)"])
        }
        let active = ErrorReason.versionActive(installed.active.version)
        guard let previous = installed.previous else { return Finding(.installed, active) }
        var values: [String: ErrorReason.Value] = [
            "active": .reason(active), "previous": "\(previous.version)",
        ]
        values["successor"] = installed.endOfRollbackTarget.map { "\($0)" }
        let name = values["successor"] == nil ? "activeWithPrevious" : "activeWithPreviousUntil"
        return Finding(.installed, reason: name, values)
    }

    /// Returns a description of the offered versions, and which of them must be requested explicitly.
    private static func reason(for offered: [SemanticVersion], after active: SemanticVersion?) -> ErrorReason {
        if offered.isEmpty { return ErrorReason("catalogHasNone") }
        let offer = ErrorReason("catalogHas", ["versions": .list(offered.map(\.description))])
        let early = offered.filter { version in
            version > active ?? version && !version.isForAnybody(after: active, among: offered)
        }
        if early.isEmpty { return offer }
        return ErrorReason(
            "preReleasesOnRequest", ["offer": .reason(offer), "versions": .list(early.map(\.description))])
    }

    /// Returns the quarantined versions, and those that will be quarantined when a host starts next.
    private func quarantined(
        _ identifier: BundleIdentifier, _ installed: InstalledBundle?
    ) throws(AtriumError) -> [Finding] {
        let put = try registry.quarantine.all().filter { $0.identity.identifier == identifier }.map { version in
            let identity = version.identity
            return Finding(
                .quarantined, reason: "blockedUntilUnblocked",
                ["version": "\(identity.version)", "crash": .reason(version.reason), "bundle": "\(identity)"],
                // If another version is active, nothing is left to be done.
                obstacle: installed == nil ? AtriumError(.quarantined, identity.description) : nil)
        }
        let coming = try manager.transactions.quarantine.crashedVersions(sweeping: false).map(\.crash)
        return put
            + coming.filter { $0.identity.identifier == identifier }.map { crash in
                Finding(
                    .quarantined, reason: "versionToBeQuarantined",
                    ["version": "\(crash.identity.version)", "crash": .reason(crash.reason)],
                    obstacle: AtriumError(.quarantined, crash.identity.description))
            }
    }

    private func needs(of active: PluginBundle) throws(AtriumError) -> [Finding] {
        try active.requirements.map { requirement throws(AtriumError) in
            let (version, values) = try registry.state(of: requirement)
            let reason = ErrorReason("requirementState", values)
            if let version {
                let isMet = requirement.versions.contains(version)
                return isMet ? Finding(.needs, reason) : unmet(requirement, of: active, reason)
            }
            guard requirement.isOnDemand else { return unmet(requirement, of: active, reason) }
            return Finding(.needs, reason: "requirementOnDemand", ["requirement": .reason(reason)])
        }
    }

    /// Returns a finding about an unmet requirement, with an offered version that would meet it.
    private func unmet(
        _ requirement: BundleRequirement, of active: PluginBundle, _ reason: ErrorReason
    ) -> Finding {
        let identity = active.identity
        do {
            let steps = try offers.plan([.install(identity.identifier, identity.version)]).steps
            guard let arrival = steps.compactMap(\.arrival).first(where: { $0.identifier == requirement.identifier })
            else { return Finding(.needs, reason) }
            return Finding(
                .needs, reason: "requirementOffered",
                ["requirement": .reason(reason), "version": "\(arrival.version)"],
                remedy: ErrorReason("runInstall", ["bundle": "\(identity)"]))
        } catch {
            return Finding(
                .needs, reason: "requirementNotOffered", ["requirement": .reason(reason)], obstacle: error)
        }
    }

    private func dependents(on identifier: BundleIdentifier) throws(AtriumError) -> [Finding] {
        var findings: [Finding] = []
        for dependent in try registry.dependents(of: identifier) where dependent != identifier {
            guard let bundle = try registry.active.version(of: dependent) else { continue }
            for requirement in bundle.requirements where requirement.identifier == identifier {
                findings.append(
                    Finding(
                        .neededBy, reason: requirement.isOnDemand ? "neededOnDemand" : "neededBy",
                        ["bundle": "\(bundle.identity)", "versions": "\(requirement.versions)"]))
            }
        }
        return findings
    }

    private func code(of active: PluginBundle) -> Finding {
        do {
            try policy.requireIntact(active)
            for library in try policy.libraries(of: active).bundles { try policy.requireIntact(library) }
            if active.entry != nil { try FileSystem.requireExecution(in: sandbox.folder(of: active)) }
            if let refusal = try policy.loadRefusal(of: active) { return Finding(.code, refusal) }
            return Finding(.code, reason: active.entry == nil ? "noCode" : "loadable")
        } catch {
            return Finding(.code, error)
        }
    }
}

extension InstalledBundle {
    /// The version whose first successful run removes the rollback target; `nil` when the target stays valid.
    ///
    /// It is the active version, when the version below it isn't known to have run successfully.
    public var endOfRollbackTarget: SemanticVersion? {
        guard let previous, !previous.hasRun, previous.version < active.version else { return nil }
        return active.version
    }
}

extension Registry {
    /// Returns the active version of a required bundle, with the values of a reason about the requirement.
    func state(
        of requirement: BundleRequirement
    ) throws(AtriumError) -> (version: SemanticVersion?, values: [String: ErrorReason.Value]) {
        let version = try active.version(of: requirement.identifier)?.version
        let state = version.map { ErrorReason.versionActive($0) } ?? ErrorReason("notInstalled")
        return (
            version,
            ["bundle": .text(requirement.identifier), "versions": "\(requirement.versions)", "state": .reason(state)]
        )
    }
}

extension BundleDiagnosis.Finding {
    fileprivate init(
        _ topic: BundleDiagnosis.Topic, _ reason: ErrorReason, obstacle: AtriumError? = nil, remedy: ErrorReason? = nil
    ) {
        self.init(topic: topic, reason: reason, obstacle: obstacle, remedy: remedy)
    }

    fileprivate init(
        _ topic: BundleDiagnosis.Topic, reason: String, _ values: [String: ErrorReason.Value] = [:],
        obstacle: AtriumError? = nil, remedy: ErrorReason? = nil
    ) {
        self.init(topic, ErrorReason(reason, values), obstacle: obstacle, remedy: remedy)
    }

    fileprivate init(_ topic: BundleDiagnosis.Topic, _ obstacle: AtriumError) {
        self.init(topic, .error(obstacle), obstacle: obstacle)
    }
}
