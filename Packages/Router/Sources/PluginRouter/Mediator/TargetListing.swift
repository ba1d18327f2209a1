public import PluginCore

/// A declared target with the bundle that declares it.
public struct TargetListing: Hashable, Sendable {
    /// The name of the target.
    public let name: String
    /// The identifier of the bundle that declares it.
    public let owner: String
    /// The actions of the target.
    public let actions: [ActionDeclaration]

    /// Creates a listing.
    public init(_ declaration: TargetDeclaration, owner: String) {
        name = declaration.name
        self.owner = owner
        actions = declaration.actions
    }

    /// Returns the exposure of an action. Undeclared actions are at most exposed to plugins.
    func exposure(of action: String) -> Exposure {
        actions.first { $0.name == action }?.exposure ?? .plugins
    }

    /// Throws an error unless a caller may call an action. This is checked before any code is loaded.
    ///
    /// - Throws: ``AtriumError`` with code `exposureDenied`.
    func admit(_ origin: RequestOrigin, to action: String) throws(AtriumError) {
        let exposure = exposure(of: action)
        guard !exposure.admits(origin, owner: owner) else { return }
        throw .exposureDenied("\(name).\(action)", exposure, to: origin)
    }
}

extension AtriumError {
    /// Returns the error for an action that is not exposed to the caller.
    static func exposureDenied(_ subject: String, _ exposure: Exposure, to origin: RequestOrigin) -> AtriumError {
        AtriumError(
            .exposureDenied, subject, reason: "actionExposure",
            ["exposure": .text(exposure.rawValue), "caller": "\(origin)"])
    }
}

extension ErrorReason {
    /// The reason for a name that a bundle declares and that its code does not provide.
    static func declaredOnly(_ owner: String) -> ErrorReason { ErrorReason("declaredOnly", ["owner": .text(owner)]) }
}
