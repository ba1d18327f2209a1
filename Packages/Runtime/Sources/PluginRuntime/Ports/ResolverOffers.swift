package import PluginCore

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

    /// Returns whether the same call may succeed later, so that no older version is chosen because of its error.
    func isTemporary(_ error: AtriumError) -> Bool
}
