public import PluginCore
import Preflight
import Registry
import HostSystem
import Resolver

/// The reasons for a bundle's state: why it isn't offered, installed, the newest version or loadable, and which bundles need it.
public struct BundleDiagnosis: Sendable {
    /// The topic of a finding.
    public enum Topic: String, Sendable, CaseIterable {
        /// The version in the registry.
        case installed
        /// The version that becomes active when a host starts next.
        case staged
        /// Versions that have crashed a host and are not offered again.
        case quarantined = "putAway"
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
        /// The text of the finding.
        public let words: String
        /// The error that the finding describes, if any.
        public let obstacle: AtriumError?
        /// A command of the host that helps, in addition to the remedy in the obstacle.
        public var remedy: String?
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

/// Diagnoses the state of bundles, without running any of their code.
struct Diagnosis: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let planner: ChangePlanner
    let offers: OfferedVersions
    let policy: LoadPolicy
    let staged: StagedUpdates
    let quarantine: CrashQuarantine

    /// Diagnoses the state of a bundle.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnknown` for a bundle that was never installed and isn't offered, and the
    ///   errors of the registry.
    func diagnosis(of identifier: BundleIdentifier) throws(AtriumError) -> BundleDiagnosis {
        let installed = try registry.active.bundle(identifier)
        var findings = [try finding(about: installed, identifier)]
        let staged = try self.staged.reports().first { $0.bundle.identity.identifier == identifier }
        if let staged { findings.append(.init(topic: .staged, words: staged.words, obstacle: staged.obstacle)) }
        findings += try quarantined(identifier, installed)
        if let pin = try registry.pins.pin(of: identifier) {
            findings.append(.init(topic: .pinned, words: pin.words, obstacle: nil))
        }
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
            findings.append(.init(topic: .offered, words: Self.words(for: offered, after: active), obstacle: nil))
            let newer = offered.filter { version in
                versions.allSatisfy { $0 < version } && version.isForAnybody(after: active, among: offered)
            }
            let updateCandidates = try offers.updateCandidates(of: identifier, among: newer)
            installable = updateCandidates.reachable
            refused = updateCandidates.refusals.map { .init(.refused, $0) }
            if updateCandidates.others > 0 {
                refused.append(.init(topic: .refused, words: "and \(updateCandidates.others) more", obstacle: nil))
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
            findings.append(
                .init(
                    topic: .neededBy, words: "it was installed as a requirement, and is no longer needed",
                    obstacle: nil,
                    remedy: "hostapp autoremove"))
        }
        return BundleDiagnosis(
            identifier: identifier, active: installed?.active.identity.version, installable: installable,
            findings: findings)
    }

    private func finding(
        about installed: InstalledBundle?, _ identifier: BundleIdentifier
    ) throws(AtriumError) -> BundleDiagnosis.Finding {
        guard let installed else {
            let last = try registry.history.all(of: identifier).last { $0.event != .staged }
            let before = last.map { "; last event: \"\($0.event.rawValue)\" of \($0.version)" }
            return .init(topic: .installed, words: "it is not installed" + (before ?? ""), obstacle: nil)
        }
        let end = installed.endOfRollbackTarget.map { " until \($0) has run" } ?? ""
        let kept = installed.previous.map { ", and \($0.identity.version) is kept to roll back to\(end)" } ?? ""
        return .init(
            topic: .installed, words: "\(installed.active.identity.version) is active\(kept)", obstacle: nil)
    }

    /// Returns a text about the offered versions, and which of them must be requested explicitly.
    private static func words(for offered: [SemanticVersion], after active: SemanticVersion?) -> String {
        let list = offered.isEmpty ? "none" : offered.map(\.description).joined(separator: ", ")
        let early = offered.filter { version in
            version > active ?? version && !version.isForAnybody(after: active, among: offered)
        }
        let named = early.map(\.description).joined(separator: ", ")
        return "the catalog has \(list)"
            + (early.isEmpty ? "" : "; pre-releases are installed only on request: \(named)")
    }

    /// Returns the quarantined versions, and those that will be quarantined when a host starts next.
    private func quarantined(
        _ identifier: BundleIdentifier, _ installed: InstalledBundle?
    ) throws(AtriumError) -> [BundleDiagnosis.Finding] {
        let put = try registry.quarantine.all().filter { $0.identity.identifier == identifier }
        var findings = put.map { version in
            BundleDiagnosis.Finding(
                topic: .quarantined,
                words: "\(version.identity.version) \(version.reason); "
                    + "this content of it is blocked until \"hostapp unblock \(version.identity)\"",
                // If another version is active, nothing is left to be done.
                obstacle: installed == nil ? AtriumError(.quarantined, version.identity.description) : nil)
        }
        let coming = try quarantine.crashedVersions(sweeping: false).map(\.crash)
        for crash in coming where crash.identity.identifier == identifier {
            findings.append(
                BundleDiagnosis.Finding(
                    topic: .quarantined,
                    words: "\(crash.identity.version) \(crash.explanation); it is quarantined when a host starts next",
                    obstacle: AtriumError(.quarantined, crash.identity.description)))
        }
        return findings
    }

    private func needs(of active: PluginBundle) throws(AtriumError) -> [BundleDiagnosis.Finding] {
        var findings: [BundleDiagnosis.Finding] = []
        for requirement in try registry.requirements.all(of: active.identity.identifier) {
            let other = try registry.active.version(of: requirement.identifier)?.identity.version
            let state = other.map { "\($0) is active" } ?? "it is not installed"
            let words = "\(requirement.identifier) \(requirement.versions): \(state)"
            if other.map(requirement.versions.contains) ?? requirement.isOnDemand {
                let isToCome = other == nil
                findings.append(
                    .init(
                        topic: .needs, words: words + (isToCome ? "; it is installed on demand" : ""), obstacle: nil))
            } else {
                findings.append(unmet(requirement, of: active, words))
            }
        }
        return findings
    }

    /// Returns a finding about an unmet requirement, with an offered version that would meet it.
    private func unmet(
        _ requirement: BundleRequirement, of active: PluginBundle, _ words: String
    ) -> BundleDiagnosis.Finding {
        let identity = active.identity
        do throws(AtriumError) {
            let steps = try planner.plan([.install(identity.identifier, identity.version)]).steps
            guard let arrival = steps.compactMap(\.arrival).first(where: { $0.identifier == requirement.identifier })
            else { return .init(topic: .needs, words: words, obstacle: nil) }
            return .init(
                topic: .needs, words: "\(words), and \(arrival.version) can be had", obstacle: nil,
                remedy: "hostapp install \(identity)")
        } catch {
            return .init(topic: .needs, words: "\(words), and no compatible version is available", obstacle: error)
        }
    }

    private func dependents(on identifier: BundleIdentifier) throws(AtriumError) -> [BundleDiagnosis.Finding] {
        var findings: [BundleDiagnosis.Finding] = []
        for dependent in try registry.requirements.dependents(of: identifier) where dependent != identifier {
            guard let bundle = try registry.active.version(of: dependent) else { continue }
            for requirement in try registry.requirements.all(of: dependent)
            where requirement.identifier == identifier {
                let when = requirement.isOnDemand ? " when it calls it" : ""
                findings.append(
                    .init(
                        topic: .neededBy, words: "\(bundle.identity) needs \(requirement.versions)\(when)",
                        obstacle: nil))
            }
        }
        return findings
    }

    private func code(of active: PluginBundle) -> BundleDiagnosis.Finding {
        do throws(AtriumError) {
            try policy.requireIntact(active)
            let resolver = LibraryResolver(sandbox: sandbox, registry: registry)
            let manifest = try registry.versions.manifest(of: active)
            for library in try resolver.libraries(of: active).libraries { try policy.requireIntact(library.source) }
            let (libraries, files) = try resolver.files(for: manifest)
            if manifest.entry != nil { try FileSystem.requireExecution(in: sandbox.folder(of: active)) }
            let verdict = LibraryPreflight.validate(
                libraryOf: manifest, in: sandbox.folder(of: active), dependencies: files)
            if let verdict, let refusal = libraries.refusal(for: verdict) { return .init(.code, refusal) }
            if let refusal = verdict?.refusal(of: active.identity.description) { return .init(.code, refusal) }
            let words = verdict == nil ? "it has no code" : "this host can load it"
            return .init(topic: .code, words: words, obstacle: nil)
        } catch {
            return .init(.code, error)
        }
    }
}

extension BundleDiagnosis.Finding {
    init(_ topic: BundleDiagnosis.Topic, _ obstacle: AtriumError) {
        self.init(topic: topic, words: obstacle.description, obstacle: obstacle)
    }
}
