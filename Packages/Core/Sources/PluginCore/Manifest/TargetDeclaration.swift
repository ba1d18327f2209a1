/// A target that a bundle declares in its manifest, with its actions.
public struct TargetDeclaration: Hashable, Sendable, Codable {
    /// The target's name, unique among all installed bundles.
    public let name: String
    /// The actions.
    public let actions: [ActionDeclaration]

    /// Creates a declaration.
    public init(name: String, actions: [ActionDeclaration]) {
        self.name = name
        self.actions = actions
    }
}

/// An action of a target.
public struct ActionDeclaration: Hashable, Sendable, Codable {
    /// The action's name, unique within its target.
    public let name: String
    /// The callers that may call the action.
    public let exposure: Exposure

    /// Creates a declaration.
    public init(name: String, exposure: Exposure = .plugins) {
        self.name = name
        self.exposure = exposure
    }
}

extension ActionDeclaration: ExpressibleByStringLiteral {
    /// Creates an action that every plugin may call.
    public init(stringLiteral name: String) {
        self.init(name: name)
    }
}
