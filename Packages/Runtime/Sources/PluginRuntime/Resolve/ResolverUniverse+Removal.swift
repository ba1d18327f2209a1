internal import PluginCore

extension ResolverUniverse {
    /// Finds out all that goes: what is to go, and with a cascade whoever cannot do without it.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, or `bundleNeeded` with one problem for each bundle in the way.
    func settleRemovals() throws(AtriumError) {
        var open: [(identifier: String, isCascade: Bool)] = []
        for wish in wishes {
            guard case .remove(let identifier, let isCascade) = wish else { continue }
            guard try version(of: identifier) != nil else { throw try notInstalled(identifier) }
            removed.insert(identifier)
            open.append((identifier, isCascade))
        }
        // Whoever goes with a cascade goes before anybody is in the way.
        var queue = open.filter(\.isCascade).map(\.identifier)
        while let identifier = queue.popLast() {
            for (dependent, _) in try needing(identifier) where wish(for: dependent) == nil {
                if removed.insert(dependent).inserted { queue.append(dependent) }
            }
        }
        for (identifier, isCascade) in open where !isCascade {
            let problems = try chains(to: identifier)
            guard problems.isEmpty else { throw AtriumError(.bundleNeeded, identifier, problems: problems) }
        }
    }

    /// Who of all that is installed needs a bundle at once, and has it.
    private func needing(_ identifier: String) throws(AtriumError) -> [(String, BundleRequirement)] {
        guard let version = try version(of: identifier) else { return [] }
        return try dependents(of: identifier).filter { dependent, requirement in
            !requirement.isOnDemand && dependent != identifier && requirement.versions.contains(version)
        }
    }

    /// One line for each bundle that needs another, from those that need `identifier` itself outwards. Those that go or have a
    /// wish of their own are in nobody's way.
    private func chains(to identifier: String) throws(AtriumError) -> [String] {
        var lines: [String] = []
        var seen: Set<String> = [identifier]
        var queue = [identifier]
        var next = 0
        while next < queue.count {
            for (dependent, requirement) in try needing(queue[next])
            where !removed.contains(dependent) && wish(for: dependent) == nil {
                guard let version = try version(of: dependent) else { continue }
                lines.append("\(dependent)@\(version) needs \(requirement.identifier) \(requirement.versions)")
                if seen.insert(dependent).inserted { queue.append(dependent) }
            }
            next += 1
        }
        return lines
    }
}
