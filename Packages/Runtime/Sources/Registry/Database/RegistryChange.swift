package import PluginCore

/// A version whose files are in place, with its manifest.
package struct PlacedVersion: Sendable {
    package let bundle: PluginBundle
    package let manifest: Manifest
    /// The bytes of the manifest's file.
    package let source: [UInt8]
    /// The on-demand install that adds the bundle; `nil` when a user requested it by name.
    package var installToken: String?
    /// The reason for the installation; `nil` to keep the existing one.
    package var reason: InstallReason?

    package init(
        bundle: PluginBundle, manifest: Manifest, source: [UInt8], installToken: String? = nil,
        reason: InstallReason? = nil
    ) {
        self.bundle = bundle
        self.manifest = manifest
        self.source = source
        self.installToken = installToken
        self.reason = reason
    }
}

/// A change of one bundle in a transaction of the registry.
package enum RegistryChange: Sendable {
    /// Make the version active, and keep the previous one as rollback target.
    case activate(PlacedVersion)
    /// Add the version, so that it becomes active when a host starts next.
    case stage(PlacedVersion)
    /// Revoke that the version becomes active at the next start.
    case unstage(PluginBundle)
    /// Make the previous version active, and keep the current one as rollback target.
    ///
    /// When requested by a user, the bundle isn't updated to the current version again.
    case rollBack(to: PluginBundle, Manifest, isByUser: Bool = false)
    /// Remove all versions, and block some that crashed or hung a host, each with a reason.
    ///
    /// A bundle that a user removes isn't installed on demand again without a question.
    case remove(String, blocking: [PluginBundle: String] = [:], isByUser: Bool = false)
    /// Remove all versions as if they had never been installed, provided that they still belong to the given on-demand install.
    case undoInstall(String, from: String)
    /// Quarantine the version with a reason; another version with its manifest replaces it, or none.
    case quarantine(PluginBundle, reason: String, then: (PluginBundle, Manifest)?)

    /// The identifier of the bundle.
    package var identifier: String {
        switch self {
        case .activate(let version), .stage(let version): version.bundle.identity.identifier
        case .rollBack(let bundle, _, _), .quarantine(let bundle, _, _), .unstage(let bundle):
            bundle.identity.identifier
        case .remove(let identifier, _, _), .undoInstall(let identifier, _): identifier
        }
    }
}
