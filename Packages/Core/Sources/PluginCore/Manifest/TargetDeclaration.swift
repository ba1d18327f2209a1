/// A target that others may call, with its actions.
public struct TargetDeclaration: Hashable, Sendable {
    /// The target's name, unique among all installed bundles.
    public let name: String
    /// The names of its actions.
    public let actions: [String]

    /// Declares a target.
    public init(name: String, actions: [String]) {
        self.name = name
        self.actions = actions
    }
}
