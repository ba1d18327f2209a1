internal import PluginCore

extension ResolverFacts {
    /// The maximum number of problems in an error, and of versions in one of them.
    private static let problemLimit = 24
    private static let versionLimit = 8

    /// Returns the error for a request that can't be fulfilled.
    func error(of request: ResolverRequest, _ universe: ResolverUniverse) throws(AtriumError) -> AtriumError {
        let chains = inOrder(from: request.identifier)
        // A requirement is the end of a chain if no requirement of its bundle is recorded.
        let ends = chains.filter { need in !needs.contains { $0.identity.identifier == need.requirement.identifier } }
        var unmet: Need?
        var isConflict = false
        for need in ends {
            if try canNotBeHad(need, universe) {
                unmet = unmet ?? need
            } else if !broken.contains(where: { $0.identity.identifier == need.requirement.identifier }) {
                isConflict = true
            }
        }
        if !isConflict, let unmet { return try error(unmet: unmet, request, chains, universe) }
        if !isConflict, let first = broken.first { return first.error }
        var problems = chains.map(\.words)
        for identifier in Set(ends.map(\.requirement.identifier)).sorted() {
            problems += try state(of: identifier, universe)
        }
        let fault =
            universe.direction == .back ? "is kept, but not usable" : "is available, but cannot be read"
        problems += broken.map { "\($0.identity) \(fault): \($0.error.description)" }
        return AtriumError(.dependencyConflict, request.subject, problems: Self.bounded(problems))
    }

    /// Returns an error about a requirement that no offered version meets, without a chain if the requested bundle itself has it.
    private func error(
        unmet need: Need, _ request: ResolverRequest, _ chains: [Need], _ universe: ResolverUniverse
    ) throws(AtriumError) -> AtriumError {
        let isDirect = need.identity.identifier == request.identifier
        let version = try universe.choices(of: request.identifier).first
        let subject =
            isDirect ? need.identity.description : version.map { "\(request.identifier)@\($0)" } ?? request.subject
        let other = need.requirement.identifier
        let state: String
        if let installed = try universe.version(of: other) {
            state = "\(installed) is installed"
        } else {
            let offered = try universe.choices(of: other)
            state = "\(universe.offerer) " + (offered.isEmpty ? "none" : Self.list(offered.map(\.description)))
        }
        let verb = need.requirement.isOnDemand ? "calls" : "requires"
        return AtriumError(
            .requirementUnmet, subject,
            detail:
                "\(isDirect ? "it" : need.identity.description) \(verb) \(other) \(need.requirement.versions), and \(state)",
            problems: isDirect ? [] : Self.bounded(chains.map(\.words))
        )
    }

    /// Returns whether no offered version is in the range of a requirement, independently of other requirements.
    private func canNotBeHad(_ need: Need, _ universe: ResolverUniverse) throws(AtriumError) -> Bool {
        let other = need.requirement.identifier
        guard universe.request(for: other) == nil, !universe.removed.contains(other), !need.isInstalled else {
            return false
        }
        return try !universe.choices(of: other).contains(where: need.requirement.versions.contains)
    }

    /// Returns the requirements reachable from a bundle, nearest first, then the others, and finally those of installed bundles.
    private func inOrder(from identifier: BundleIdentifier) -> [Need] {
        let sorted = needs.sorted { one, other in
            let (left, right) = (one.identity, other.identity)
            if left.identifier != right.identifier { return left.identifier < right.identifier }
            if left.version != right.version { return left.version > right.version }
            return one.requirement.identifier < other.requirement.identifier
        }
        let comers = Dictionary(grouping: sorted.filter { !$0.isInstalled }, by: \.identity.identifier)
        var order: [Need] = []
        var seen: Set<BundleIdentifier> = [identifier]
        var queue = [identifier]
        var next = 0
        while next < queue.count {
            for need in comers[queue[next]] ?? [] {
                order.append(need)
                if seen.insert(need.requirement.identifier).inserted { queue.append(need.requirement.identifier) }
            }
            next += 1
        }
        return order + sorted.filter { !$0.isInstalled && !seen.contains($0.identity.identifier) }
            + sorted.filter(\.isInstalled)
    }

    /// Returns texts about the installed and offered versions of a bundle.
    private func state(of identifier: BundleIdentifier, _ universe: ResolverUniverse) throws(AtriumError) -> [String] {
        if universe.removed.contains(identifier) { return ["\(identifier) is to be removed"] }
        switch universe.request(for: identifier) {
        case .install(_, let version?)?: return ["\(identifier)@\(version) is requested"]
        case .rollBack(_, let version)?: return ["\(identifier) is to go back to \(version)"]
        default: break
        }
        let installed = try universe.version(of: identifier)
        let offered = try universe.offered(identifier)
        var lines: [String] = []
        if let installed, !offered.contains(installed) { lines.append("\(identifier)@\(installed) is installed") }
        var versions: [String] = []
        for version in offered {
            let why =
                version == installed ? "installed" : try universe.blockReason(identifier, version).map { "\($0.code)" }
            versions.append(version.description + (why.map { " (\($0))" } ?? ""))
        }
        return lines + [
            "\(universe.offerer) " + (versions.isEmpty ? "no \(identifier)" : "\(identifier) \(Self.list(versions))")
        ]
    }

    private static func list(_ versions: [String]) -> String {
        let more = versions.count - versionLimit
        return versions.prefix(versionLimit).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    private static func bounded(_ problems: [String]) -> [String] {
        let more = problems.count - problemLimit
        return more > 0 ? problems.prefix(problemLimit) + ["and \(more) more"] : problems
    }
}
