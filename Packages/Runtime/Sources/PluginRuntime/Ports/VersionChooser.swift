public import PluginCore

/// The choice of the versions that go together.
///
/// ```swift
/// let host = Host(at: sandbox, source: catalog, choosing: .highest, verifying: DevelopmentOnlyVerification())
/// ```
public struct VersionChooser: Sendable {
    /// Returns the change that fulfills all requests of a question, or throws the reasons why there is none.
    package let change: @Sendable (VersionQuestion) throws(AtriumError) -> ResolvedChange

    package init(_ change: @escaping @Sendable (VersionQuestion) throws(AtriumError) -> ResolvedChange) {
        self.change = change
    }
}

/// The requests for a change, and what it may consist of.
package struct VersionQuestion {
    /// The direction in which bundles move that can't keep their version.
    package enum Direction {
        /// To a newer offered version.
        case up
        /// To the kept version. On-demand requirements are ignored then: they are checked at the first call.
        case back
    }

    /// The active version of a bundle, with its requirements.
    package typealias Installed = (version: SemanticVersion, requirements: [BundleRequirement])

    /// Returns the reason why a version is blocked, if it is; throws when that can't be determined, so that no older version is chosen.
    package typealias BlockRule = (BundleIdentity) throws(AtriumError) -> AtriumError?

    package let requests: [ChangeRequest]
    package let sandbox: any ResolverSandbox
    package let offers: any ResolverOffers
    package let direction: Direction
    /// Returns the reason why an offered version is blocked, if it is; not called for active versions and rollback targets.
    package let blockRule: BlockRule

    package init(
        _ requests: [ChangeRequest], sandbox: any ResolverSandbox, offers: any ResolverOffers,
        direction: Direction = .up, unless blockRule: @escaping BlockRule = { _ in nil }
    ) {
        self.requests = requests
        self.sandbox = sandbox
        self.offers = offers
        self.direction = direction
        self.blockRule = blockRule
    }
}

/// A request for a change of one bundle.
public struct ChangeRequest: Hashable, Sendable {
    package enum Kind: Sendable {
        case install
        case update
        case rollBack
        case remove
    }

    package let kind: Kind
    /// The identifier of the bundle.
    public let identifier: BundleIdentifier
    /// The requested version, if any.
    package var version: SemanticVersion?
    /// `true` for an update that may find all newer packages invalid, as one of all bundles may.
    package var mayStay = false
    /// `true` for the removal of a bundle with those that depend on it.
    package var isCascade = false

    /// The requested version of the bundle, if any.
    package var identity: BundleIdentity? { version.map(identifier.at) }

    /// The subject of an error: the bundle, with the version if the request has one.
    package var subject: String { identity?.description ?? identifier.text }

    /// Returns a request to install a bundle in a version, or in the newest compatible one.
    public static func install(_ identifier: BundleIdentifier, _ version: SemanticVersion? = nil) -> Self {
        Self(kind: .install, identifier: identifier, version: version)
    }

    /// Returns a request to update an installed bundle to the newest compatible version.
    ///
    /// It is a failure if all newer packages are invalid, unless the bundle may stay as it is, as in an update of all bundles.
    public static func update(_ identifier: BundleIdentifier, mayStay: Bool = false) -> Self {
        Self(kind: .update, identifier: identifier, mayStay: mayStay)
    }

    /// Returns a request to change a bundle to a version, whether older or newer.
    package static func rollBack(_ identifier: BundleIdentifier, to version: SemanticVersion) -> Self {
        Self(kind: .rollBack, identifier: identifier, version: version)
    }

    /// Returns a request to remove a bundle, and in a cascade the bundles that depend on it.
    package static func remove(_ identifier: BundleIdentifier, cascade isCascade: Bool = false) -> Self {
        Self(kind: .remove, identifier: identifier, isCascade: isCascade)
    }
}

/// The versions that a resolver may choose from.
///
/// The resolver asks for each fact at most once, and only for what it needs.
package protocol ResolverOffers {
    /// Returns the available versions of a bundle in any order; none for an unknown bundle.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable` when that can't be determined.
    func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion]

    /// Checks that the offers are complete.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable` when they aren't.
    func requireReachable() throws(AtriumError)

    /// Returns the requirements of a version that is offered or a rollback target.
    ///
    /// - Throws: ``AtriumError`` when its manifest can't be read.
    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement]
}

/// The installed bundles, as far as a resolver asks for them.
///
/// Each bundle is looked up individually, because a plan concerns a few of possibly thousands.
package protocol ResolverSandbox {
    /// Returns the active version of a bundle with its requirements.
    ///
    /// - Returns: `nil` when it isn't installed.
    func installed(_ identifier: BundleIdentifier) throws(AtriumError) -> VersionQuestion.Installed?

    /// Returns the bundles whose active versions require a bundle, on demand or not, in a fixed order.
    func dependents(of identifier: BundleIdentifier) throws(AtriumError) -> [BundleIdentifier]
}

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
        public var arrival: BundleIdentity? { to.map(identifier.at) }
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

    /// The versions that become active.
    package var arrivals: [BundleIdentity] { steps.compactMap(\.arrival) }

    /// A Boolean value that indicates whether nothing has to change.
    public var isEmpty: Bool { steps.isEmpty }
}

// The codes of a choice of versions that fails.
extension AtriumError.Code {
    /// An identifier that neither the sandbox nor the catalog contains.
    public static let bundleUnknown = Self("bundleUnknown")
    /// A version that the catalog doesn't contain, of a bundle that it knows.
    public static let versionUnknown = Self("versionUnknown")
    /// A bundle whose requirements are not available.
    public static let requirementUnmet = Self("requirementUnmet")
    /// A version below the active one.
    public static let downgrade = Self("downgrade")
}

extension ErrorReason {
    /// Returns the reason for a version that is below the active one.
    package static func versionActive(_ version: SemanticVersion) -> ErrorReason {
        ErrorReason("versionActive", ["version": "\(version)"])
    }
}

extension BundleIdentifier {
    /// Returns the identity of a version of the bundle.
    package func at(_ version: SemanticVersion) -> BundleIdentity { BundleIdentity(identifier: self, version: version) }
}

extension SemanticVersion {
    /// Returns whether the version may be chosen for a request that names neither a version nor a range.
    ///
    /// Releases always may. A pre-release may only replace an earlier pre-release of the same version, or be chosen if no release exists.
    ///
    /// - Parameters:
    ///   - current: the current version, if any.
    ///   - offered: the available versions.
    public func isForAnybody(after current: Self?, among offered: some Sequence<Self>) -> Bool {
        if prerelease.isEmpty { return true }
        guard let current else { return offered.allSatisfy { !$0.prerelease.isEmpty } }
        return !current.prerelease.isEmpty && self > current
            && (major, minor, patch) == (current.major, current.minor, current.patch)
    }
}
