import PluginCore

extension VersionChooser {
    /// The plain choice: the highest version that is offered, and likewise for each unmet requirement, or else a refusal.
    ///
    /// No other combination is tried, and no bundle moves that was neither requested nor is required in another version. A bundle
    /// that another one needs is removed only if that one is requested to go, too: there is no cascade.
    public static let highest = Self { question throws(AtriumError) in
        var choice = HighestVersions(question: question)
        for request in question.requests { try choice.fulfill(request) }
        try choice.requireAll()
        return ResolvedChange(steps: choice.steps, skippedVersions: [])
    }
}

/// The versions that are chosen so far, and what they need.
private struct HighestVersions {
    let question: VersionQuestion
    /// The changes; a bundle comes after those that it needs.
    var steps: [ResolvedChange.Step] = []
    /// The versions after the change of the bundles that change; `nil` for one that is removed.
    var chosen: [BundleIdentifier: SemanticVersion?] = [:]
    var needs: [(bundle: BundleIdentity, requirement: BundleRequirement)] = []

    /// Chooses what a request needs.
    mutating func fulfill(_ request: ChangeRequest) throws(AtriumError) {
        let identifier = request.identifier
        let current = try current(identifier)
        if request.kind != .install, current == nil { throw AtriumError(.bundleNotInstalled, identifier) }
        if request.kind == .remove {
            chosen[identifier] = .some(nil)
            return steps.append(.init(identifier: identifier, from: current, to: nil))
        }
        if request.kind == .rollBack, let target = request.identity { return try choose(target) }
        let open = try newer(than: current, identifier)
        let newest = open.first { version in
            request.version.map { $0 == version } ?? version.isForAnybody(after: current, among: open)
        }
        if let newest { return try choose(identifier.at(newest)) }
        if let current, request.version ?? current == current { return }
        if let current, let version = request.version, version < current {
            throw AtriumError(.downgrade, request.subject, reason: .versionActive(current))
        }
        let offered = try question.offers.versions(of: identifier)
        guard let version = request.version ?? offered.max() else { throw AtriumError(.bundleUnknown, identifier) }
        let identity = identifier.at(version)
        let refusal = try offered.contains(version) ? question.blockRule(identity) : nil
        throw refusal ?? AtriumError(.versionUnknown, identity)
    }

    /// Chooses a version, and before it the highest versions that it requires.
    private mutating func choose(_ identity: BundleIdentity) throws(AtriumError) {
        if let other = chosen.updateValue(identity.version, forKey: identity.identifier) {
            if other == identity.version { return }
            throw AtriumError(.dependencyConflict, identity, reason: "requestedTwice")
        }
        let requirements = try question.offers.requirements(of: identity).filter { !$0.isOnDemand }
        needs += requirements.map { (identity, $0) }
        for requirement in requirements where try !isMet(requirement) {
            let other = requirement.identifier
            let newest = try newer(than: current(other), other).first(where: requirement.versions.contains)
            guard let newest, chosen[other] == nil else { continue }
            try choose(other.at(newest))
        }
        let current = try current(identity.identifier)
        steps.append(.init(identifier: identity.identifier, from: current, to: identity.version))
    }

    /// Checks that the bundles that change have what they need, and those that stay what they had.
    mutating func requireAll() throws(AtriumError) {
        for step in steps {
            for dependent in try question.sandbox.dependents(of: step.identifier) where chosen[dependent] == nil {
                guard let before = step.from, let bundle = try question.sandbox.installed(dependent) else { continue }
                let identity = dependent.at(bundle.version)
                needs += bundle.requirements.filter {
                    $0.identifier == step.identifier && !$0.isOnDemand && $0.versions.contains(before)
                }.map { (identity, $0) }
            }
        }
        for (bundle, requirement) in needs where try !isMet(requirement) {
            let other = requirement.identifier
            let needs = ErrorReason(
                "needs", ["bundle": "\(bundle)", "other": .text(other), "versions": "\(requirement.versions)"])
            guard let choice = chosen[other] else { throw AtriumError(.requirementUnmet, bundle, problems: [needs]) }
            throw choice == nil
                ? AtriumError(.bundleNeeded, other, problems: [needs])
                : AtriumError(.dependencyConflict, bundle, problems: [needs])
        }
    }

    private func isMet(_ requirement: BundleRequirement) throws(AtriumError) -> Bool {
        let other = requirement.identifier
        let version = if let version = chosen[other] { version } else { try current(other) }
        return version.map(requirement.versions.contains) ?? false
    }

    private func current(_ identifier: BundleIdentifier) throws(AtriumError) -> SemanticVersion? {
        try question.sandbox.installed(identifier)?.version
    }

    /// Returns the offered versions that may take the place of the active one and that nothing blocks, highest first.
    private func newer(
        than current: SemanticVersion?, _ identifier: BundleIdentifier
    ) throws(AtriumError) -> [SemanticVersion] {
        let versions = try question.offers.versions(of: identifier).sorted(by: >)
        if versions.isEmpty { try question.offers.requireReachable() }
        var open: [SemanticVersion] = []
        for version in versions where question.direction == .back || current.map({ version > $0 }) ?? true {
            let refusal = try question.blockRule(identifier.at(version))
            if refusal == nil { open.append(version) }
        }
        return open
    }
}
