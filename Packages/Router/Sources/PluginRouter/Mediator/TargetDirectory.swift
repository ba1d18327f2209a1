/// Where the targets of manifests are kept.
public protocol TargetDirectory: Sendable {
    /// The identifier of the bundle that declares a target, or `nil`.
    func owner(ofTarget name: String) async throws -> String?

    /// All target names, for telling what an unknown one may have meant.
    func targets() async throws -> [String]
}
