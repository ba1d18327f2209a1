import PluginRuntime
import PluginCore

extension ResolverFacts {
    /// The maximum number of problems in an error, and of versions in one of them.
    private static let problemLimit = 24
    private static let versionLimit = 8

    /// Returns the error for a request that can't be fulfilled.
    func error(of request: ChangeRequest, _ universe: ResolverUniverse) throws(AtriumError) -> AtriumError {
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
        var problems = chains.map(\.reason)
        for identifier in Set(ends.map(\.requirement.identifier)).sorted() {
            problems += try state(of: identifier, universe)
        }
        problems += broken.map { version in
            ErrorReason(
                universe.goesBack ? "keptNotUsable" : "offeredUnreadable",
                ["bundle": "\(version.identity)", "error": .reason(.error(version.error))])
        }
        return AtriumError(.dependencyConflict, request.subject, problems: Self.bounded(problems))
    }

    /// Returns an error about a requirement that no offered version meets, without a chain if the requested bundle itself has it.
    private func error(
        unmet need: Need, _ request: ChangeRequest, _ chains: [Need], _ universe: ResolverUniverse
    ) throws(AtriumError) -> AtriumError {
        let isDirect = need.identity.identifier == request.identifier
        let version = try universe.choices(of: request.identifier).first
        let subject =
            isDirect ? need.identity.description : version.map { "\(request.identifier)@\($0)" } ?? request.subject
        let other = need.requirement.identifier
        let state: ErrorReason
        if let installed = try universe.version(of: other) {
            state = ErrorReason("versionInstalled", ["version": "\(installed)"])
        } else {
            let offered = try universe.choices(of: other).map(\.description)
            state =
                universe.goesBack
                ? ErrorReason(offered.isEmpty ? "sandboxKeepsNone" : "sandboxKeeps", Self.list(offered))
                : ErrorReason(offered.isEmpty ? "catalogHasNone" : "catalogHas", Self.list(offered))
        }
        let isOnDemand = need.requirement.isOnDemand
        let name =
            isDirect
            ? isOnDemand ? "itCalls" : "itRequires"
            : isOnDemand ? "bundleCalls" : "bundleRequires"
        var values: [String: ErrorReason.Value] = .need(of: need.identity.description, need.requirement)
        values["state"] = .reason(state)
        return AtriumError(
            .requirementUnmet, subject, reason: name, values,
            problems: isDirect ? [] : Self.bounded(chains.map(\.reason))
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
            return (left.identifier, right.version, one.requirement.identifier)
                < (right.identifier, left.version, other.requirement.identifier)
        }
        let comers = Dictionary(grouping: sorted.filter { !$0.isInstalled }, by: \.identity.identifier)
        var order: [Need] = []
        var seen: Set<BundleIdentifier> = [identifier]
        var queue = [identifier][...]
        while let needs = queue.popFirst().map({ comers[$0] ?? [] }) {
            order += needs
            queue += needs.map(\.requirement.identifier).filter { seen.insert($0).inserted }
        }
        return order + sorted.filter { !$0.isInstalled && !seen.contains($0.identity.identifier) }
            + sorted.filter(\.isInstalled)
    }

    /// Returns reasons about the installed and offered versions of a bundle.
    private func state(
        of identifier: BundleIdentifier, _ universe: ResolverUniverse
    ) throws(AtriumError) -> [ErrorReason] {
        if universe.removed.contains(identifier) { return [ErrorReason("toBeRemoved", ["bundle": .text(identifier)])] }
        if let request = universe.request(for: identifier), let version = request.version {
            return [
                request.kind == .rollBack
                    ? ErrorReason("toGoBack", ["bundle": .text(identifier), "version": "\(version)"])
                    : ErrorReason("versionRequested", ["bundle": .text(request.subject)])
            ]
        }
        let installed = try universe.version(of: identifier)
        let offered = try universe.offered(identifier)
        var problems: [ErrorReason] = []
        if let installed, !offered.contains(installed) {
            problems.append(ErrorReason("versionInstalled", ["version": "\(identifier)@\(installed)"]))
        }
        let versions = try offered.map { version throws(AtriumError) in
            let why =
                version == installed ? "installed" : try universe.blockReason(identifier, version).map { "\($0.code)" }
            return version.description + (why.map { " (\($0))" } ?? "")
        }
        let isBack = universe.goesBack
        let name =
            versions.isEmpty
            ? isBack ? "sandboxKeepsNoBundle" : "catalogHasNoBundle"
            : isBack ? "sandboxKeepsBundle" : "catalogHasBundle"
        return problems + [ErrorReason(name, Self.list(versions).merging(["bundle": .text(identifier)]) { $1 })]
    }

    /// Returns the value for a list of versions, which is bounded.
    private static func list(_ versions: [String]) -> [String: ErrorReason.Value] {
        let more = versions.count - versionLimit
        let first = ErrorReason.Value.list(Array(versions.prefix(versionLimit)))
        let bounded = ErrorReason("listAndMore", ["items": first, "count": .integer(more)])
        return versions.isEmpty ? [:] : ["versions": more > 0 ? .reason(bounded) : first]
    }

    private static func bounded(_ problems: [ErrorReason]) -> [ErrorReason] {
        let more = problems.count - problemLimit
        return more > 0 ? problems.prefix(problemLimit) + [ErrorReason("more", ["count": .integer(more)])] : problems
    }
}
