public import PluginCore

/// A bundle that an app consists of, with the versions that the app allows.
public struct AppMember: Hashable, Sendable {
    /// The identifier of the bundle.
    public let identifier: BundleIdentifier
    /// The allowed versions; `nil` for all versions.
    public let versions: VersionRange?

    /// Creates a member of an app.
    public init(_ identifier: BundleIdentifier, versions: VersionRange? = nil) {
        self.identifier = identifier
        self.versions = versions
    }

    /// Returns whether the app allows a version.
    public func allows(_ version: SemanticVersion) -> Bool { versions?.contains(version) ?? true }
}
