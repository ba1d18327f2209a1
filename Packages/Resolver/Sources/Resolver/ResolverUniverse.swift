import PluginRuntime
import PluginCore

/// The data that a search chooses from, cached on first use, with a count of the work.
final class ResolverUniverse {
    /// The requests in their order, at most one for each bundle.
    let requests: [ChangeRequest]
    /// The bundles to be removed, determined before the search.
    var removed: Set<BundleIdentifier> = []
    let question: VersionQuestion
    private let requested: [BundleIdentifier: ChangeRequest]
    private var known: [BundleIdentifier: VersionQuestion.Installed?] = [:]
    private var needing: [BundleIdentifier: [(identifier: BundleIdentifier, requirement: BundleRequirement)]] = [:]
    private var offered: [BundleIdentifier: [SemanticVersion]] = [:]
    private var open: [BundleIdentifier: [SemanticVersion]] = [:]
    private var choices: [BundleIdentifier: [SemanticVersion]] = [:]
    private var read: [BundleIdentity: Result<[BundleRequirement], AtriumError>] = [:]
    private var reach: Result<Void, AtriumError>?
    private var steps = 0
    private let stepLimit: Int
    var goesBack: Bool { question.direction == .back }

    init(_ question: VersionQuestion, _ stepLimit: Int, requests: [ChangeRequest]) {
        self.question = question
        self.requests = requests
        requested = Dictionary(requests.map { ($0.identifier, $0) }) { first, _ in first }
        // Many requests legitimately need more work.
        self.stepLimit = stepLimit + 1000 * requests.count
    }

    /// Returns an installed bundle, if it is installed.
    func installed(_ identifier: BundleIdentifier) throws(AtriumError) -> VersionQuestion.Installed? {
        try remembered(\.known, identifier) { () throws(AtriumError) in try question.sandbox.installed(identifier) }
    }

    /// Returns a value that is found once for each key.
    private func remembered<Key, Value>(
        _ known: ReferenceWritableKeyPath<ResolverUniverse, [Key: Value]>, _ key: Key,
        _ find: () throws(AtriumError) -> Value
    ) throws(AtriumError) -> Value {
        if let value = self[keyPath: known][key] { return value }
        let value = try find()
        self[keyPath: known][key] = value
        return value
    }

    /// Returns the active version of a bundle, if it is installed.
    func version(of identifier: BundleIdentifier) throws(AtriumError) -> SemanticVersion? {
        try installed(identifier)?.version
    }

    /// Returns the installed bundles that require a bundle, on demand or not.
    func dependents(
        of identifier: BundleIdentifier
    ) throws(AtriumError) -> [(identifier: BundleIdentifier, requirement: BundleRequirement)] {
        try remembered(\.needing, identifier) { () throws(AtriumError) in
            try question.sandbox.dependents(of: identifier).map { dependent throws(AtriumError) in
                let requirements = try installed(dependent)?.requirements ?? []
                return requirements.filter { $0.identifier == identifier }.map { (dependent, $0) }
            }.flatMap(\.self)
        }
    }

    func request(for identifier: BundleIdentifier) -> ChangeRequest? { requested[identifier] }

    /// Counts steps of work.
    ///
    /// - Throws: ``AtriumError`` with code `dependencyConflict` when the limit is exceeded.
    func spend(_ count: Int = 1) throws(AtriumError) {
        steps += count
        guard steps > stepLimit else { return }
        throw AtriumError(
            .dependencyConflict, requests.first?.subject ?? "",
            reason: "noSolution", ["steps": .integer(stepLimit)]
        )
    }

    /// Returns all offered versions including blocked ones, newest first, from the part of the offers that can be read.
    func offered(_ identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        try remembered(\.offered, identifier) { () throws(AtriumError) in
            let versions = Set(try question.offers.versions(of: identifier)).sorted(by: >)
            if versions.isEmpty { try requireReachable() }
            try spend(versions.count)
            return versions
        }
    }

    /// Checks that the offers are complete, before something is reported as not offered.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func requireReachable() throws(AtriumError) {
        let known = reach ?? Result { () throws(AtriumError) in try question.offers.requireReachable() }
        reach = known
        try known.get()
    }

    /// Returns the reason why an offered version is blocked, if it is.
    func blockReason(_ identifier: BundleIdentifier, _ version: SemanticVersion) throws(AtriumError) -> AtriumError? {
        try question.blockRule(BundleIdentity(identifier: identifier, version: version))
    }

    /// Returns the versions that a bundle may have after the change, in the order in which they are tried.
    ///
    /// Not called for a bundle that is removed.
    func choices(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        try remembered(\.choices, identifier) { () throws(AtriumError) in try findChoices(of: identifier) }
    }

    private func findChoices(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        if let version = requested[identifier]?.version { return [version] }
        let current = try version(of: identifier)
        if goesBack { return try [current].compactMap(\.self) + offered(identifier) }
        let newer = try newer(than: current, identifier)
        let early = newer.filter { !$0.isForAnybody(after: current, among: newer) }
        // A bundle that can keep its version isn't examined, so every examined bundle has a reason to move.
        return newer.filter { !early.contains($0) } + [current].compactMap(\.self) + early
    }

    /// Returns whether a version is a pre-release that only a range may select.
    func isEarly(_ identity: BundleIdentity) throws(AtriumError) -> Bool {
        let current = try version(of: identity.identifier)
        guard !identity.version.prerelease.isEmpty, identity.version != current,
            requested[identity.identifier]?.version == nil
        else { return false }
        return try !identity.version.isForAnybody(after: current, among: newer(than: current, identity.identifier))
    }

    /// Returns the versions that a bundle can be updated to or installed in, newest first.
    private func newer(
        than current: SemanticVersion?, _ identifier: BundleIdentifier
    ) throws(AtriumError) -> ArraySlice<SemanticVersion> {
        let open = try remembered(\.open, identifier) { () throws(AtriumError) in
            try offered(identifier).map { version throws(AtriumError) in
                try blockReason(identifier, version) == nil ? version : nil
            }.compactMap(\.self)
        }
        guard let current else { return open[...] }
        try spend(open.count / 16)
        return open.prefix { $0 > current }
    }

    /// Returns the requirements of a version; for an unchanged version only those that are satisfied now.
    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        try remembered(\.read, identity) { () throws(AtriumError) in
            try spend(100)
            return Result { () throws(AtriumError) in try findRequirements(of: identity) }
        }.get()
    }

    /// Returns the skipped versions: those above the chosen ones whose packages are invalid, as far as they were examined.
    func skippedVersions(for chosen: [BundleIdentifier: SemanticVersion]) -> [SkippedVersion] {
        let found = read.compactMap { identity, result -> SkippedVersion? in
            guard case .failure(let error) = result, let version = chosen[identity.identifier],
                version < identity.version
            else { return nil }
            return SkippedVersion(identity, for: error)
        }
        return found.sorted { one, other in
            (one.identity.identifier, other.identity.version) < (other.identity.identifier, one.identity.version)
        }
    }

    private func findRequirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        guard let current = try installed(identity.identifier), current.version == identity.version else {
            return try question.offers.requirements(of: identity)
        }
        if requested[identity.identifier]?.kind == .install { return current.requirements }
        return try current.requirements.map { requirement throws(AtriumError) in
            try holdsNow(requirement) ? requirement : nil
        }.compactMap(\.self)
    }

    /// Returns whether a requirement is satisfied before the change.
    func holdsNow(_ requirement: BundleRequirement) throws(AtriumError) -> Bool {
        try isSatisfied(requirement, by: version(of: requirement.identifier))
    }

    /// Returns whether a version satisfies a requirement.
    ///
    /// - Parameter version: the version; `nil` for a bundle that isn't installed.
    func isSatisfied(_ requirement: BundleRequirement, by version: SemanticVersion?) throws(AtriumError) -> Bool {
        try spend()
        if let version, requirement.versions.contains(version) { return true }
        guard requirement.isOnDemand else { return false }
        if goesBack { return true }
        do {
            if try newer(than: version, requirement.identifier).contains(where: requirement.versions.contains) {
                return true
            }
            try requireReachable()
            return false
        } catch  where error.code == .catalogUnreachable {
            // Assume that it is offered; the first call will check it.
            return true
        }
    }
}
