public import PluginCore

/// A version that was not taken though it is newer, because its package is of no use.
public struct PassedOver: Sendable {
    /// Which version.
    public let identity: BundleIdentity
    /// What is wrong with its package.
    public let error: AtriumError

    init(_ identity: BundleIdentity, for error: AtriumError) {
        self.identity = identity
        self.error = error
    }
}

extension PassedOver: Hashable {
    /// Returns whether both are the same version, with the same fault in the same words.
    public static func == (one: PassedOver, other: PassedOver) -> Bool {
        one.identity == other.identity && one.error.description == other.error.description
    }

    /// Hashes what equality asks for.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(error.description)
    }
}
