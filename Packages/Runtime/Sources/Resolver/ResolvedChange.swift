public import PluginCore

/// The changes that fulfill install requests and give every bundle what it needs.
public struct ResolvedChange: Hashable, Sendable {
    /// The change of one bundle.
    public struct Step: Hashable, Sendable {
        /// The identifier of the bundle.
        public let identifier: BundleIdentifier
        /// The version before the change; `nil` for a bundle that is installed.
        public let from: SemanticVersion?
        /// The version after the change; `nil` for a bundle that is removed.
        public let to: SemanticVersion?

        /// The version that becomes active, if any.
        public var arrival: BundleIdentity? { to.map { BundleIdentity(identifier: identifier, version: $0) } }
    }

    /// The steps in their order: installations and updates first, then removals.
    ///
    /// A bundle is installed or updated after those that it needs, in a circle by identifier, and removed before them.
    public let steps: [Step]
    /// The versions that were skipped because their packages are invalid, newest first.
    public let skippedVersions: [SkippedVersion]

    /// A Boolean value that indicates whether nothing has to change.
    public var isEmpty: Bool { steps.isEmpty }
}

/// A newer version that was skipped because its package is invalid or could not be downloaded.
public struct SkippedVersion: Sendable {
    /// The skipped version.
    public let identity: BundleIdentity
    /// The reason why its package cannot be used.
    public let error: AtriumError

    package init(_ identity: BundleIdentity, for error: AtriumError) {
        self.identity = identity
        self.error = error
    }
}

extension SkippedVersion: Hashable {
    /// Returns whether both are the same version with the same error text.
    public static func == (one: SkippedVersion, other: SkippedVersion) -> Bool {
        one.identity == other.identity && one.error.description == other.error.description
    }

    /// Hashes the version and the error text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(error.description)
    }
}

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
