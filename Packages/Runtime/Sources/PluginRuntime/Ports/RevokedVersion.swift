public import PluginCore

/// A version that must not be used anymore.
public struct RevokedVersion: Hashable, Sendable {
    /// The version.
    public let version: SemanticVersion
    /// The SHA-256 of the seal of its package, in lowercase hexadecimal.
    public let sealDigest: String
    /// The reason for users.
    public let reason: String

    /// Creates a revocation.
    public init(version: SemanticVersion, sealDigest: String, reason: String) {
        self.version = version
        self.sealDigest = sealDigest
        self.reason = reason
    }
}
