public import PluginCore

/// The changes that fulfill install requests and give every bundle what it needs.
public struct ResolvedChange: Sendable {
    /// The change of one bundle.
    public struct Step: Hashable, Sendable {
        /// The identifier of the bundle.
        public let identifier: BundleIdentifier
        /// The version before the change; `nil` for one that was not installed before.
        public let from: SemanticVersion?
        /// The version after the change; `nil` for a bundle that is removed.
        public let to: SemanticVersion?

        package init(identifier: BundleIdentifier, from: SemanticVersion?, to: SemanticVersion?) {
            self.identifier = identifier
            self.from = from
            self.to = to
        }

        /// The version that becomes active, if any.
        public var arrival: BundleIdentity? { to.map { BundleIdentity(identifier: identifier, version: $0) } }
    }

    /// The steps in their order: installations and updates first, then removals.
    ///
    /// A bundle is installed or updated after those that it needs, in a circle by identifier, and removed before them.
    public let steps: [Step]
    /// The versions that were skipped because their packages are invalid, newest first.
    public let skippedVersions: [SkippedVersion]

    package init(steps: [Step], skippedVersions: [SkippedVersion]) {
        self.steps = steps
        self.skippedVersions = skippedVersions
    }

    /// A Boolean value that indicates whether nothing has to change.
    public var isEmpty: Bool { steps.isEmpty }
}
