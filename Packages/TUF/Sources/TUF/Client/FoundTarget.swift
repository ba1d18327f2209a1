public import TUFMetadata

/// A target with the role that describes it.
public struct FoundTarget: Hashable, Sendable {
    /// The path.
    public let path: String
    /// The length, the hashes and the data of the application.
    public let file: TargetFile
    /// The role that describes the target: `targets`, or a delegated one.
    public let role: String
}
