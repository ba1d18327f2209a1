import PluginRuntime
internal import PluginCore

extension ResolverUniverse {
    /// Returns the steps to the chosen versions, each after the bundles that it needs.
    func change(to chosen: [BundleIdentifier: SemanticVersion]) throws(AtriumError) -> ResolvedChange {
        var needs: [BundleIdentifier: [BundleIdentifier]] = [:]
        for (identifier, version) in chosen where try self.version(of: identifier) != version {
            let identity = BundleIdentity(identifier: identifier, version: version)
            needs[identifier] = Self.hard(try requirements(of: identity))
        }
        var steps: [ResolvedChange.Step] = []
        for identifier in Self.behindTheirNeeds(needs) {
            let from = try version(of: identifier)
            steps.append(ResolvedChange.Step(identifier: identifier, from: from, to: chosen[identifier]))
        }
        var needed: [BundleIdentifier: [BundleIdentifier]] = [:]
        for identifier in removed { needed[identifier] = Self.hard(try installed(identifier)?.requirements ?? []) }
        for identifier in Self.behindTheirNeeds(needed).reversed() {
            steps.append(ResolvedChange.Step(identifier: identifier, from: try version(of: identifier), to: nil))
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
