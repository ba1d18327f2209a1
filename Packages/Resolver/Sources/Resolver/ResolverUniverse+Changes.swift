import PluginCore
import PluginRuntime

extension ResolverUniverse {
    /// Determines all bundles to be removed: the requested ones, and in a cascade those that depend on them.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, or `bundleNeeded` with one problem for each dependent bundle.
    func resolveRemovals() throws(AtriumError) {
        var open: [(identifier: BundleIdentifier, isCascade: Bool)] = []
        for request in requests where request.kind == .remove {
            let identifier = request.identifier
            guard try version(of: identifier) != nil else { throw AtriumError(.bundleNotInstalled, identifier) }
            removed.insert(identifier)
            open.append((identifier, request.isCascade))
        }
        // Bundles of a cascade are removed before dependents are checked.
        var queue = open.filter(\.isCascade).map(\.identifier)
        while let identifier = queue.popLast() {
            for (dependent, _) in try needing(identifier) where request(for: dependent) == nil {
                if removed.insert(dependent).inserted { queue.append(dependent) }
            }
        }
        for (identifier, isCascade) in open where !isCascade {
            let problems = try chains(to: identifier)
            guard problems.isEmpty else { throw AtriumError(.bundleNeeded, identifier, problems: problems) }
        }
    }

    /// Returns the installed bundles with a satisfied requirement of a bundle, except on-demand requirements.
    private func needing(_ identifier: BundleIdentifier) throws(AtriumError) -> [(BundleIdentifier, BundleRequirement)]
    {
        guard let version = try version(of: identifier) else { return [] }
        return try dependents(of: identifier).filter { dependent, requirement in
            !requirement.isOnDemand && dependent != identifier && requirement.versions.contains(version)
        }
    }

    /// Returns one problem for each bundle that directly or indirectly needs another, nearest first.
    ///
    /// Bundles that are removed or have a request of their own are not listed.
    private func chains(to identifier: BundleIdentifier) throws(AtriumError) -> [ErrorReason] {
        var problems: [ErrorReason] = []
        var seen: Set<BundleIdentifier> = [identifier]
        var queue = [identifier][...]
        while let needed = queue.popFirst() {
            for (dependent, requirement) in try needing(needed)
            where !removed.contains(dependent) && request(for: dependent) == nil {
                guard let version = try version(of: dependent) else { continue }
                problems.append(ErrorReason("needs", .need(of: "\(dependent)@\(version)", requirement)))
                if seen.insert(dependent).inserted { queue.append(dependent) }
            }
        }
        return problems
    }

    /// Returns the steps to the chosen versions, each after the bundles that it needs.
    func change(to chosen: [BundleIdentifier: SemanticVersion]) throws(AtriumError) -> ResolvedChange {
        var needs: [BundleIdentifier: [BundleIdentifier]] = [:]
        for (identifier, version) in chosen where try self.version(of: identifier) != version {
            let identity = BundleIdentity(identifier: identifier, version: version)
            needs[identifier] = Self.hard(try requirements(of: identity))
        }
        var steps = try Self.behindTheirNeeds(needs).map { identifier throws(AtriumError) in
            ResolvedChange.Step(identifier: identifier, from: try version(of: identifier), to: chosen[identifier])
        }
        var needed: [BundleIdentifier: [BundleIdentifier]] = [:]
        for identifier in removed { needed[identifier] = Self.hard(try installed(identifier)?.requirements ?? []) }
        steps += try Self.behindTheirNeeds(needed).reversed().map { identifier throws(AtriumError) in
            ResolvedChange.Step(identifier: identifier, from: try version(of: identifier), to: nil)
        }
        return ResolvedChange(steps: steps, skippedVersions: skippedVersions(for: chosen))
    }

    private static func hard(_ requirements: [BundleRequirement]) -> [BundleIdentifier] {
        requirements.filter { !$0.isOnDemand }.map(\.identifier).sorted()
    }

    /// Sorts the keys so that each comes after those of its values that are keys: depth-first postorder.
    ///
    /// A circle is in the order of the first identifier that leads into it. The walk has its own stack, because chains may be long.
    static func behindTheirNeeds(_ needs: [BundleIdentifier: [BundleIdentifier]]) -> [BundleIdentifier] {
        var order: [BundleIdentifier] = []
        var seen: Set<BundleIdentifier> = []
        for root in needs.keys.sorted() where seen.insert(root).inserted {
            var path = [(identifier: root, next: 0)]
            while let (identifier, next) = path.last {
                let values = needs[identifier] ?? []
                guard next < values.count else {
                    order.append(identifier)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                if needs[values[next]] != nil, seen.insert(values[next]).inserted { path.append((values[next], 0)) }
            }
        }
        return order
    }
}
