public import PluginCore

/// A version that was not taken though it is newer, because its package is of no use.
public struct PassedOver: Hashable, Sendable {
    /// Which version.
    public let identity: BundleIdentity
    /// What is wrong with its package.
    public let code: AtriumError.Code
    /// The same in words.
    public let words: String

    init(_ identity: BundleIdentity, for error: AtriumError) {
        self.identity = identity
        code = error.code
        words = error.description
    }
}
