import PluginCore

extension VersionChooser {
    /// The plain choice: the highest version that is offered and meets the requirements, or else a refusal.
    ///
    /// No other combination is tried, and no bundle moves that was neither requested nor is required in another version.
    public static let highest = VersionChooser { question throws(AtriumError) in
        var choice = HighestVersions(question)
        for request in question.requests { try choice.fulfill(request) }
        try choice.requireDependents()
        return choice.change
    }
}

/// The versions that are chosen so far.
private struct HighestVersions {
    let question: VersionQuestion
    /// The changes; a bundle comes after those that it needs.
    private var steps: [ResolvedChange.Step] = []
    private var chosen: [BundleIdentifier: SemanticVersion] = [:]
    private var removed: [ResolvedChange.Step] = []

    init(_ question: VersionQuestion) { self.question = question }

    var change: ResolvedChange { ResolvedChange(steps: steps + removed, skippedVersions: []) }

    /// Chooses what a request needs.
    mutating func fulfill(_ request: ResolverRequest) throws(AtriumError) {
        let identifier = request.identifier
        let current = try current(identifier)
        switch request {
        case .install, .update:
            if case .update = request, current == nil { throw AtriumError(.bundleNotInstalled, identifier) }
            let (wanted, offered) = (request.version, try offered(identifier))
            let newest = try newest(of: identifier) { version in
                wanted.map { $0 == version } ?? version.isForAnybody(after: current, among: offered)
            }
            if let newest { return try choose(newest) }
            if let current, wanted == nil || wanted == current { return }
            guard let version = wanted ?? offered.first else { throw AtriumError(.bundleUnknown, identifier) }
            let identity = BundleIdentity(identifier: identifier, version: version)
            if let current, version < current {
                throw AtriumError(.downgrade, identity, reason: .versionActive(current))
            }
            let refusal = offered.contains(version) ? try question.blockRule(identity) : nil
            throw refusal ?? AtriumError(.versionUnknown, identity)
        case .rollBack(_, let version):
            try choose(BundleIdentity(identifier: identifier, version: version))
        case .remove(_, let isCascade):
            guard current != nil else { throw AtriumError(.bundleNotInstalled, identifier) }
            try remove(identifier, isCascade)
        }
    }

    /// Checks that the bundles that stay have what they had.
    func requireDependents() throws(AtriumError) {
        for step in steps {
            for (dependent, requirement) in try needing(step.identifier)
            where chosen[dependent] == nil && step.to.map(requirement.versions.contains) == false {
                throw AtriumError(
                    .dependencyConflict, step.arrival?.description ?? "",
                    problems: [ErrorReason("installedNeeds", Self.values(dependent.text, requirement))])
            }
        }
    }

    /// Chooses a version, and before it the highest versions that it requires.
    private mutating func choose(_ identity: BundleIdentity) throws(AtriumError) {
        if let other = chosen[identity.identifier] {
            guard other == identity.version else { throw AtriumError(.dependencyConflict, identity) }
            return
        }
        chosen[identity.identifier] = identity.version
        for requirement in try question.offers.requirements(of: identity) where !requirement.isOnDemand {
            let other = requirement.identifier
            let active = try current(other)
            if let present = chosen[other] ?? active, requirement.versions.contains(present) { continue }
            guard chosen[other] == nil, let newest = try newest(of: other, where: requirement.versions.contains) else {
                let offered = try offered(other).map(\.description)
                let state = ErrorReason("catalogHas", ["versions": .list(offered)])
                var values = Self.values(identity.description, requirement)
                values["state"] = .reason(offered.isEmpty ? ErrorReason("catalogHasNone") : state)
                throw AtriumError(.requirementUnmet, identity, reason: "itRequires", values)
            }
            try choose(newest)
        }
        let identifier = identity.identifier
        steps.append(.init(identifier: identifier, from: try current(identifier), to: identity.version))
    }

    /// Removes a bundle after those that need it, if they may be removed, too.
    private mutating func remove(_ identifier: BundleIdentifier, _ isCascade: Bool) throws(AtriumError) {
        guard chosen[identifier] == nil else { return }
        chosen[identifier] = try current(identifier)
        let going = Set(question.requests.map(\.identifier))
        for (dependent, requirement) in try needing(identifier) where chosen[dependent] == nil {
            guard isCascade || going.contains(dependent) else {
                throw AtriumError(
                    .bundleNeeded, identifier,
                    problems: [ErrorReason("needs", Self.values(dependent.text, requirement))])
            }
            try remove(dependent, isCascade)
        }
        removed.append(.init(identifier: identifier, from: chosen[identifier], to: nil))
    }

    /// Returns the highest version that may be chosen in place of the active one.
    private func newest(
        of identifier: BundleIdentifier, where isSuitable: (SemanticVersion) -> Bool
    ) throws(AtriumError) -> BundleIdentity? {
        let current = try current(identifier)
        for version in try offered(identifier) where isSuitable(version) {
            if question.direction == .up, let current, version <= current { return nil }
            let identity = BundleIdentity(identifier: identifier, version: version)
            if try question.blockRule(identity) == nil { return identity }
        }
        return nil
    }

    private func current(_ identifier: BundleIdentifier) throws(AtriumError) -> SemanticVersion? {
        try question.sandbox.installed(identifier)?.version
    }

    private func offered(_ identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        let versions = try question.offers.versions(of: identifier).sorted(by: >)
        if versions.isEmpty { try question.offers.requireReachable() }
        return versions
    }

    /// Returns the installed bundles with a requirement of a bundle that its active version meets.
    private func needing(
        _ identifier: BundleIdentifier
    ) throws(AtriumError) -> [(BundleIdentifier, BundleRequirement)] {
        guard let current = try current(identifier) else { return [] }
        var found: [(BundleIdentifier, BundleRequirement)] = []
        for dependent in try question.sandbox.dependents(of: identifier) where dependent != identifier {
            let met = try question.sandbox.installed(dependent)?.requirements.filter {
                $0.identifier == identifier && !$0.isOnDemand && $0.versions.contains(current)
            }
            found += (met ?? []).map { (dependent, $0) }
        }
        return found
    }

    private static func values(_ bundle: String, _ requirement: BundleRequirement) -> [String: ErrorReason.Value] {
        ["bundle": .text(bundle), "other": .text(requirement.identifier), "versions": "\(requirement.versions)"]
    }
}
