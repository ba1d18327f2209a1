import PluginRuntime
import PluginCore
import Testing

@testable import Resolver

/// A catalog and a sandbox in text form, as input of the resolver.
///
/// Each line is a version and its requirements: `com.a@1.2.0: com.lib ^2.0.0, com.b * on demand`. The prefix `+` marks
/// an active version, `-` an active one that is no longer offered, `!` a blocked one, and `?` an offered one whose
/// package is unreadable.
final class SampleUniverse: ResolverOffers, ResolverSandbox {
    private var active: [BundleIdentifier: VersionQuestion.Installed] = [:]
    private var blocked: Set<BundleIdentity> = []
    private var broken: Set<BundleIdentity> = []
    private var offered: [BundleIdentifier: [SemanticVersion]] = [:]
    private var needs: [BundleIdentity: [BundleRequirement]] = [:]
    var isReachable = true
    /// A Boolean value that indicates whether the whole catalog is reachable, so that no other versions can exist.
    var isWhole = true

    init(_ text: String) throws {
        for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) where !line.isEmpty {
            let mark = line.prefix { "+-!?".contains($0) }
            let halves = line.dropFirst(mark.count).split(separator: ":", maxSplits: 1).map(String.init)
            let requirements = try halves.dropFirst().flatMap { try Self.requirements($0) }
            let identity = try Self.identity(halves[0])
            add(identity, requirements, isOffered: mark != "-", isBroken: mark == "?", isBlocked: mark == "!")
            if mark == "+" || mark == "-" { install(identity, requirements) }
        }
    }

    init() {}

    func add(
        _ identity: BundleIdentity, _ requirements: [BundleRequirement], isOffered: Bool = true, isBroken: Bool = false,
        isBlocked: Bool = false
    ) {
        needs[identity] = requirements
        if isBroken { broken.insert(identity) }
        if isBlocked { blocked.insert(identity) }
        if isOffered { offered[identity.identifier, default: []].append(identity.version) }
    }

    func install(_ identity: BundleIdentity, _ requirements: [BundleRequirement]) {
        active[identity.identifier] = (identity.version, requirements)
    }

    func installed(_ identifier: BundleIdentifier) -> VersionQuestion.Installed? { active[identifier] }

    func dependents(of identifier: BundleIdentifier) -> [BundleIdentifier] {
        active.filter { $0.value.requirements.contains { $0.identifier == identifier } }.keys.sorted()
    }

    func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        guard isReachable else { throw AtriumError(.catalogUnreachable, "catalog") }
        return offered[identifier] ?? []
    }

    func requireReachable() throws(AtriumError) {
        guard isReachable, isWhole else { throw AtriumError(.catalogUnreachable, "catalog") }
    }

    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        if broken.contains(identity) { throw AtriumError(.init("packageInvalid"), "\(identity)") }
        guard let known = needs[identity] else { throw AtriumError(.versionUnknown, "\(identity)") }
        return known
    }

    func question(_ requests: [ChangeRequest]) -> VersionQuestion {
        VersionQuestion(requests, sandbox: self, offers: self) { [blocked] identity in
            blocked.contains(identity) ? AtriumError(.init("quarantined"), "\(identity)") : nil
        }
    }

    func change(
        _ requests: [ChangeRequest], stepLimit: Int = Resolver.stepLimit
    ) throws(AtriumError) -> ResolvedChange {
        try Resolver(question: question(requests), stepLimit: stepLimit).plan()
    }

    /// Returns the steps of the plan as text: `com.a 1.0.0`, `com.a 1.0.0>2.0.0`, `com.a 1.0.0>`.
    func plan(_ requests: [ChangeRequest]) throws(AtriumError) -> [String] { try change(requests).texts }

    private static func identity(_ text: String) throws -> BundleIdentity {
        let parts = text.split(separator: "@").map(String.init)
        let version = try #require(SemanticVersion(parts[1]))
        return BundleIdentity(identifier: try #require(BundleIdentifier(parts[0])), version: version)
    }

    private static func requirements(_ text: String) throws -> [BundleRequirement] {
        try text.split(separator: ",").map { item in
            var words = item.split(separator: " ").map(String.init)
            let isOnDemand = words.suffix(2) == ["on", "demand"]
            if isOnDemand { words.removeLast(2) }
            let versions = try #require(VersionRange(words.dropFirst().joined(separator: " ")))
            return BundleRequirement(
                identifier: try #require(BundleIdentifier(words[0])), versions: versions, isOnDemand: isOnDemand)
        }
    }
}

extension ResolvedChange {
    /// The steps as texts.
    var texts: [String] {
        steps.map { step in
            "\(step.identifier) \(step.from.map { "\($0)>" } ?? "")\(step.to?.description ?? "")"
        }
    }
}
