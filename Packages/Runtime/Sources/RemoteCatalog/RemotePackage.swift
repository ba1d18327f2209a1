import CatalogFormat
import PluginCore
import TUF

/// A package with the metadata that describes it.
struct RemotePackage: Sendable {
    let entry: CatalogEntry
    let target: FoundTarget

    var identity: BundleIdentity { entry.manifest.identity }
}
