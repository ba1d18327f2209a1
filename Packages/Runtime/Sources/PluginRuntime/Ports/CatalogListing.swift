public import PluginCore

/// The contents of a catalog.
public struct CatalogListing: Sendable {
    /// The readable packages, sorted by identifier and then version, newest first.
    public let packages: [CatalogPackage]
    /// The errors of the other packages.
    public let problems: [AtriumError]

    /// Creates a listing of sorted packages and errors.
    public init(packages: [CatalogPackage], problems: [AtriumError]) {
        self.packages = packages
        self.problems = problems
    }
}

extension [CatalogPackage] {
    /// The packages sorted by identifier and then version, newest first.
    package func sortedByIdentity() -> [CatalogPackage] {
        sorted { one, other in
            let (one, other) = (one.manifest.identity, other.manifest.identity)
            return one.identifier == other.identifier
                ? one.version > other.version : one.identifier < other.identifier
        }
    }
}
