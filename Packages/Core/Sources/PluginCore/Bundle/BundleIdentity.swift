/// The identifier and the version of a bundle.
public struct BundleIdentity: Hashable, Sendable, CustomStringConvertible {
    /// The reverse-domain identifier, such as com.example.app.shop.
    public let identifier: BundleIdentifier
    /// The version.
    public let version: SemanticVersion

    /// Creates an identity.
    public init(identifier: BundleIdentifier, version: SemanticVersion) {
        self.identifier = identifier
        self.version = version
    }

    /// The text form that the command line accepts, such as com.example.app.shop@1.1.0.
    public var description: String { "\(identifier)@\(version)" }
}
