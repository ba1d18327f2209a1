public import PluginCore

/// What has to change so that wishes come true and every bundle has what it needs.
public struct ResolvedChange: Hashable, Sendable {
    /// One bundle's part of it.
    public struct Step: Hashable, Sendable {
        /// Which bundle.
        public let identifier: String
        /// The version that is active before; `nil` for a bundle that comes.
        public let from: SemanticVersion?
        /// The version that is active after; `nil` for a bundle that goes.
        public let to: SemanticVersion?

        /// What is to be made active, if anything.
        public var arrival: BundleIdentity? { to.map { BundleIdentity(identifier: identifier, version: $0) } }
    }

    /// Each bundle that comes or moves, behind those that it needs (in a circle, by identifier); then each that goes, before
    /// those that it needed.
    public let steps: [Step]
    /// The versions that were not taken because their packages are of no use, though nothing else spoke against them yet; newest
    /// first.
    public let passedOver: [PassedOver]

    /// A Boolean value that indicates whether everything is as it was wished already.
    public var isEmpty: Bool { steps.isEmpty }
}
