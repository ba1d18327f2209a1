/// Which bundle, in which version.
public struct BundleIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The reverse-domain identifier, such as `com.example.app.shop`.
    public let identifier: String
    /// The version.
    public let version: SemanticVersion

    /// Names a bundle in a version.
    public init(identifier: String, version: SemanticVersion) {
        self.identifier = identifier
        self.version = version
    }

    /// `com.example.app.shop@1.1.0`, as the command line takes it.
    public var description: String { "\(identifier)@\(version)" }
}
