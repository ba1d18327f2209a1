package import PluginCore

/// The choice of the versions that go together.
///
/// ```swift
/// let manager = BundleManager(
///     sandbox: sandbox, catalog: catalog, choosing: .highest, verification: DevelopmentOnlyVerification(),
///     libraryCheck: ManifestLibraryCheck(), services: services, routing: routing)
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

    /// The active version of a bundle.
    package struct Installed: Hashable, Sendable {
        package let version: SemanticVersion
        package let requirements: [BundleRequirement]

        package init(version: SemanticVersion, requirements: [BundleRequirement]) {
            self.version = version
            self.requirements = requirements
        }
    }

    /// Returns the reason why a version is blocked, if it is; throws when that can't be determined, so that no older version is chosen.
    package typealias BlockRule = (BundleIdentity) throws(AtriumError) -> AtriumError?

    package let requests: [ResolverRequest]
    package let sandbox: any ResolverSandbox
    package let offers: any ResolverOffers
    package let direction: Direction
    /// Returns the reason why an offered version is blocked, if it is; not called for active versions and rollback targets.
    package let blockRule: BlockRule

    package init(
        _ requests: [ResolverRequest], sandbox: any ResolverSandbox, offers: any ResolverOffers,
        direction: Direction = .up, unless blockRule: @escaping BlockRule = { _ in nil }
    ) {
        self.requests = requests
        self.sandbox = sandbox
        self.offers = offers
        self.direction = direction
        self.blockRule = blockRule
    }
}
