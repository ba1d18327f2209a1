public import PluginCore

// The codes of a choice of versions that fails.
extension AtriumError.Code {
    /// An identifier that neither the sandbox nor the catalog contains.
    public static let bundleUnknown = Self("bundleUnknown")
    /// A version that the catalog doesn't contain, of a bundle that it knows.
    public static let versionUnknown = Self("versionUnknown")
    /// A bundle whose requirements are not available.
    public static let requirementUnmet = Self("requirementUnmet")
    /// A version below the active one.
    public static let downgrade = Self("downgrade")
}

extension ErrorReason {
    /// Returns the reason for a version that is below the active one.
    package static func versionActive(_ version: SemanticVersion) -> ErrorReason {
        ErrorReason("versionActive", ["version": "\(version)"])
    }
}
