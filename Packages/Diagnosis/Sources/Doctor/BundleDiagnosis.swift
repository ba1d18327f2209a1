import HostSystem
public import PluginCore
public import PluginRuntime
import Registry

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

extension BundleManager {
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
private struct Diagnosis: Sendable {
    let manager: BundleManager
    let offers: OfferedVersions

    private var policy: LoadPolicy { manager.policy }
    private var sandbox: Sandbox { policy.sandbox }
    private var registry: Registry { policy.registry }
    private var planner: ChangePlanner { policy.planner }

    func diagnosis(of identifier: BundleIdentifier) throws(AtriumError) -> BundleDiagnosis {
        let installed = try registry.active.bundle(identifier)
        var findings = [try finding(about: installed, identifier)]
        findings += try data(of: installed?.active, identifier)
        let staged = try manager.transactions.staged.reports().first { $0.bundle.identity.identifier == identifier }
        if let staged { findings.append(.init(.staged, staged.reason, obstacle: staged.obstacle)) }
        findings += try quarantined(identifier, installed)
        if let pin = try registry.notes.notes(about: identifier).pin?.reason { findings.append(.init(.pinned, pin)) }
        let versions = [installed?.active, staged?.bundle].compactMap { $0?.identity.version }
        var installable: SemanticVersion?
        var refused: [BundleDiagnosis.Finding] = []
        do throws(AtriumError) {
            let offered = try offers.catalog.versions(of: identifier)
            if offered.isEmpty { try offers.catalog.requireReachable() }
            if offered.isEmpty, versions.isEmpty, try registry.history.all(of: identifier).isEmpty {
                throw try offers.unknown(identifier.text)
            }
            let active = installed?.active.identity.version
            findings.append(.init(.offered, Self.reason(for: offered, after: active)))
            let newer = offered.filter { version in
                versions.allSatisfy { $0 < version } && version.isForAnybody(after: active, among: offered)
            }
            let updateCandidates = try offers.updateCandidates(of: identifier, among: newer)
            installable = updateCandidates.reachable
            refused = updateCandidates.refusals.map { .init(.refused, $0) }
            if updateCandidates.others > 0 {
                refused.append(.init(.refused, ErrorReason("more", ["count": .integer(updateCandidates.others)])))
            }
            if let active = installed?.active, let other = try offers.otherContent(of: active) {
                refused.append(.init(.refused, other))
            }
            try offers.catalog.requireReachable()
        } catch {
            guard error.code == .catalogUnreachable else { throw error }
            findings.append(.init(.offered, error))
        }
        findings += refused
        if let active = installed?.active {
            findings += try needs(of: active)
            findings.append(code(of: active))
        }
        findings += try dependents(on: identifier)
        if try planner.unneeded().contains(where: { $0.identity.identifier == identifier }) {
            findings.append(.init(.neededBy, ErrorReason("unneeded"), remedy: ErrorReason("runAutoremove")))
        }
        return BundleDiagnosis(
            identifier: identifier, active: installed?.active.identity.version, installable: installable,
            findings: findings)
    }

    private func data(
        of active: PluginBundle?, _ identifier: BundleIdentifier
    ) throws(AtriumError) -> [BundleDiagnosis.Finding] {
        guard let active, let used = try DataFolders(of: identifier, in: sandbox).use()?.last,
            active.dataVersion > 0 || used > 0
        else { return [] }
        let values: [String: ErrorReason.Value] = [
            "version": "\(active.identity.version)", "number": .integer(active.dataVersion), "used": .integer(used),
        ]
        return [.init(.data, ErrorReason("dataVersionOf", values))]
    }

    private func finding(
        about installed: InstalledBundle?, _ identifier: BundleIdentifier
    ) throws(AtriumError) -> BundleDiagnosis.Finding {
        guard let installed else {
            let last = try registry.history.all(of: identifier).last { $0.event != .staged }
            guard let last else { return .init(.installed, ErrorReason("notInstalled")) }
            let values: [String: ErrorReason.Value] = [
                "event": .text(last.event.rawValue), "version": "\(last.version)",
            ]
            return .init(.installed, ErrorReason("notInstalledSince", values))
        }
        let active = ErrorReason.versionActive(installed.active.identity.version)
        guard let previous = installed.previous else { return .init(.installed, active) }
        let values: [String: ErrorReason.Value] = [
            "active": .reason(active), "previous": "\(previous.identity.version)",
        ]
        guard let end = installed.endOfRollbackTarget else {
            return .init(.installed, ErrorReason("activeWithPrevious", values))
        }
        return .init(
            .installed, ErrorReason("activeWithPreviousUntil", values.merging(["successor": "\(end)"]) { $1 }))
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
    ) throws(AtriumError) -> [BundleDiagnosis.Finding] {
        let put = try registry.quarantine.all().filter { $0.identity.identifier == identifier }
        var findings = put.map { version in
            BundleDiagnosis.Finding(
                .quarantined,
                ErrorReason(
                    "blockedUntilUnblocked",
                    [
                        "version": "\(version.identity.version)", "crash": .reason(version.reason),
                        "bundle": "\(version.identity)",
                    ]),
                // If another version is active, nothing is left to be done.
                obstacle: installed == nil ? AtriumError(.quarantined, version.identity.description) : nil)
        }
        let coming = try manager.transactions.quarantine.crashedVersions(sweeping: false).map(\.crash)
        for crash in coming where crash.identity.identifier == identifier {
            findings.append(
                BundleDiagnosis.Finding(
                    .quarantined,
                    ErrorReason(
                        "versionToBeQuarantined",
                        ["version": "\(crash.identity.version)", "crash": .reason(crash.reason)]),
                    obstacle: AtriumError(.quarantined, crash.identity.description)))
        }
        return findings
    }

    private func needs(of active: PluginBundle) throws(AtriumError) -> [BundleDiagnosis.Finding] {
        var findings: [BundleDiagnosis.Finding] = []
        for requirement in active.requirements {
            let other = try registry.active.version(of: requirement.identifier)?.identity.version
            let state = other.map { ErrorReason.versionActive($0) } ?? ErrorReason("notInstalled")
            let reason = ErrorReason(
                "requirementState",
                [
                    "bundle": .text(requirement.identifier), "versions": "\(requirement.versions)",
                    "state": .reason(state),
                ])
            if other.map(requirement.versions.contains) ?? requirement.isOnDemand {
                let onDemand = ErrorReason("requirementOnDemand", ["requirement": .reason(reason)])
                findings.append(.init(.needs, other == nil ? onDemand : reason))
            } else {
                findings.append(unmet(requirement, of: active, reason))
            }
        }
        return findings
    }

    /// Returns a finding about an unmet requirement, with an offered version that would meet it.
    private func unmet(
        _ requirement: BundleRequirement, of active: PluginBundle, _ reason: ErrorReason
    ) -> BundleDiagnosis.Finding {
        let identity = active.identity
        do throws(AtriumError) {
            let steps = try offers.plan([.install(identity.identifier, identity.version)]).steps
            guard let arrival = steps.compactMap(\.arrival).first(where: { $0.identifier == requirement.identifier })
            else { return .init(.needs, reason) }
            return .init(
                .needs,
                ErrorReason(
                    "requirementOffered", ["requirement": .reason(reason), "version": "\(arrival.version)"]),
                remedy: ErrorReason("runInstall", ["bundle": "\(identity)"]))
        } catch {
            return .init(
                .needs, ErrorReason("requirementNotOffered", ["requirement": .reason(reason)]), obstacle: error)
        }
    }

    private func dependents(on identifier: BundleIdentifier) throws(AtriumError) -> [BundleDiagnosis.Finding] {
        var findings: [BundleDiagnosis.Finding] = []
        for dependent in try registry.dependents(of: identifier) where dependent != identifier {
            guard let bundle = try registry.active.version(of: dependent) else { continue }
            for requirement in bundle.requirements where requirement.identifier == identifier {
                let values: [String: ErrorReason.Value] = [
                    "bundle": "\(bundle.identity)", "versions": "\(requirement.versions)",
                ]
                let name = requirement.isOnDemand ? "neededOnDemand" : "neededBy"
                findings.append(.init(.neededBy, ErrorReason(name, values)))
            }
        }
        return findings
    }

    private func code(of active: PluginBundle) -> BundleDiagnosis.Finding {
        do throws(AtriumError) {
            try policy.requireIntact(active)
            for library in try policy.libraries(of: active).libraries { try policy.requireIntact(library.source) }
            if active.entry != nil { try FileSystem.requireExecution(in: sandbox.folder(of: active)) }
            if let refusal = try policy.loadRefusal(of: active) { return .init(.code, refusal) }
            return .init(.code, ErrorReason(active.entry == nil ? "noCode" : "loadable"))
        } catch {
            return .init(.code, error)
        }
    }
}

extension BundleDiagnosis.Finding {
    fileprivate init(
        _ topic: BundleDiagnosis.Topic, _ reason: ErrorReason, obstacle: AtriumError? = nil, remedy: ErrorReason? = nil
    ) {
        self.init(topic: topic, reason: reason, obstacle: obstacle, remedy: remedy)
    }

    fileprivate init(_ topic: BundleDiagnosis.Topic, _ obstacle: AtriumError) {
        self.init(topic, .error(obstacle), obstacle: obstacle)
    }
}
