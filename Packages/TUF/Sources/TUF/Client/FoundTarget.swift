public import TUFMetadata

/// A target with the role that describes it.
public struct FoundTarget: Hashable, Sendable {
    /// The path.
    public let path: String
    /// The length, the hashes and the data of the application.
    public let file: TargetFile
    /// The role that describes the target: `targets`, or a delegated one.
    public let role: String

    /// Creates a target that an application describes in the data of another one, with the length and the hashes.
    public init(path: String, file: TargetFile, role: String) {
        self.path = path
        self.file = file
        self.role = role
    }
}
