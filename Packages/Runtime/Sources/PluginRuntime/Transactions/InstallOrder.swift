import PluginCore
import Registry

/// A change that an install transaction makes, as requested.
struct InstallOrder {
    let requests: [InstallRequest]
    let packages: [CatalogPackage]
    var isStaged: Bool
    /// A Boolean value that indicates whether the staged versions become active as soon as nothing uses the data of the active ones.
    var waitsForData = false
    /// A Boolean value that indicates whether a higher data version may take the data over without a copy.
    var isWayBackKept = true
    let reason: InstallReason
    let token: String?
    /// A Boolean value that indicates whether bundles may stay as they are because a download has failed.
    var mayLeaveOut = false
    /// The versions that could not be downloaded, whose bundles stay as they are.
    var failures: [SkippedVersion] = []
    /// The lock of the app that the change must follow, if it is one of the app as a whole.
    var lock: AppLock?
    /// The requested bundles that are installed only because others require them.
    var required: Set<BundleIdentifier> = []

    /// The versions that a user has requested explicitly.
    var named: Set<BundleIdentity> { reason == .requested ? requests.namedVersions : [] }

    /// Returns the bundles of some requests that a user has requested by name.
    func requested(in requests: [InstallRequest]) -> [BundleIdentifier] {
        reason == .requested ? requests.installs.filter { !required.contains($0) } : []
    }

    /// Returns the reason why a bundle is installed.
    func reason(for identifier: BundleIdentifier) -> InstallReason {
        required.contains(identifier) ? .required : reason
    }
}
