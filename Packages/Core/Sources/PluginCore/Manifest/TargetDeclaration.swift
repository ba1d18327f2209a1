/// A target that others may call, with its actions.
public struct TargetDeclaration: Hashable, Sendable {
    /// The target's name, unique among all installed bundles.
    public let name: String
    /// Its actions.
    public let actions: [ActionDeclaration]

    /// Declares a target.
    public init(name: String, actions: [ActionDeclaration]) {
        self.name = name
        self.actions = actions
    }
}

/// An action of a target.
public struct ActionDeclaration: Hashable, Sendable {
    /// The action's name, unique in its target.
    public let name: String
    /// Who may call it.
    public let exposure: Exposure

    /// Declares an action.
    public init(name: String, exposure: Exposure = .plugins) {
        self.name = name
        self.exposure = exposure
    }
}

extension ActionDeclaration: ExpressibleByStringLiteral {
    /// `"price"`: an action for every plugin.
    public init(stringLiteral name: String) {
        self.init(name: name)
    }
}
