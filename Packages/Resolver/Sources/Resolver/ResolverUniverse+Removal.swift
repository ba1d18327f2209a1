internal import PluginCore
import PluginRuntime

extension ResolverUniverse {
    /// Determines all bundles to be removed: the requested ones, and in a cascade those that depend on them.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, or `bundleNeeded` with one problem for each dependent bundle.
    func resolveRemovals() throws(AtriumError) {
        var open: [(identifier: BundleIdentifier, isCascade: Bool)] = []
        for request in requests {
            guard case .remove(let identifier, let isCascade) = request else { continue }
            guard try version(of: identifier) != nil else { throw try notInstalled(identifier) }
            removed.insert(identifier)
            open.append((identifier, isCascade))
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
        var queue = [identifier]
        var next = 0
        while next < queue.count {
            for (dependent, requirement) in try needing(queue[next])
            where !removed.contains(dependent) && request(for: dependent) == nil {
                guard let version = try version(of: dependent) else { continue }
                problems.append(ErrorReason("needs", .need(of: "\(dependent)@\(version)", requirement)))
                if seen.insert(dependent).inserted { queue.append(dependent) }
            }
            next += 1
        }
        return problems
    }
}
