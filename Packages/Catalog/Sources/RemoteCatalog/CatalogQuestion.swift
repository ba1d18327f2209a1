import PluginRuntime
import CatalogFormat
import PluginCore

/// A question about a catalog whose answer must be fetched.
enum CatalogQuestion: Hashable, Sendable {
    /// The versions of a bundle.
    case versions(BundleIdentifier)
    /// A package.
    case package(BundleIdentity)
    /// The bundles that may meet a need.
    case providers(CatalogNeed)
    /// All packages.
    case listing
    /// The newest state.
    case reachability
}

/// The answer to a question about a catalog.
enum CatalogAnswer: Sendable {
    case versions(CatalogVersions)
    /// A package; `nil` if it is not offered.
    case package(RemotePackage?)
    case providers([BundleIdentifier])
    case listing([RemotePackage], problems: [AtriumError])
    case reachable
}
