public import PluginRuntime
public import PluginCore
public import PluginRouter

/// The catalog of a host whose settings cannot be read: every question has the same error.
public struct UnavailableCatalog: Catalog {
    private let error: AtriumError

    /// Creates a catalog that throws an error.
    public init(_ error: AtriumError) {
        self.error = error
    }

    /// Throws the error.
    public func listing() throws(AtriumError) -> CatalogListing { throw error }

    /// Throws the error.
    public func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] { throw error }

    /// Throws the error.
    public func package(_ identity: BundleIdentity) throws(AtriumError) -> CatalogPackage { throw error }

    /// Throws the error.
    public func requireReachable() throws(AtriumError) { throw error }

    /// Throws the error.
    public func revocations(of identifier: BundleIdentifier) throws(AtriumError) -> [RevokedVersion] { throw error }

    /// Returns the same catalog.
    public func withConverters(_ converters: RouteConverters) -> any Catalog { self }
}
