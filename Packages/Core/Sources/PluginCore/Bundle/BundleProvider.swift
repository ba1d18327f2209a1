/// Finds the bundle behind a name and brings its principal object to life.
public protocol BundleProvider: Sendable {
    /// The principal object of a bundle, loaded on first use.
    ///
    /// - Throws: ``AtriumError`` with the reason why the bundle cannot be had.
    func principal(of identifier: String) async throws -> any BundleDelegate

    /// The resources of a bundle. Loads no code.
    func resources(of identifier: String) async throws -> BundleResources
}
