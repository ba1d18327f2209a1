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
