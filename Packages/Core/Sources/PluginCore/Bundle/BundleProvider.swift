/// A type that finds bundles by identifier and starts them.
public protocol BundleProvider: Sendable {
    /// Returns the principal object of a bundle, loading the bundle on first use.
    ///
    /// - Throws: ``AtriumError`` with the reason why the bundle is not available.
    func principal(of identifier: String) async throws -> Principal

    /// Returns the resources of a bundle without loading its code.
    func resources(of identifier: String) async throws -> BundleResources
}
