public import PluginCore

/// A newer version that was skipped because its package is invalid or could not be downloaded.
public struct SkippedVersion: Sendable {
    /// The skipped version.
    public let identity: BundleIdentity
    /// The reason why its package cannot be used.
    public let error: AtriumError

    package init(_ identity: BundleIdentity, for error: AtriumError) {
        self.identity = identity
        self.error = error
    }
}

extension SkippedVersion: Hashable {
    /// Returns whether both are the same version with the same error text.
    public static func == (one: SkippedVersion, other: SkippedVersion) -> Bool {
        one.identity == other.identity && one.error.description == other.error.description
    }

    /// Hashes the version and the error text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(error.description)
    }
}
