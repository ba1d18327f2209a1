public import PluginCore

/// A target as the mediator calls it: its actions with their exposures.
final class BoundTarget: Sendable {
    struct BoundAction {
        /// The target and the action.
        let name: String
        let exposure: Exposure
        /// A Boolean value that indicates whether the action is a guard of routes.
        let isGuard: Bool
        let body: Action.Body
    }

    let lease: Lease
    let actions: [String: BoundAction]
    let notFound: ActionTarget.NotFound?
    let listing: TargetListing

    /// Combines the target that a bundle provides with the one that its manifest declares.
    ///
    /// - Parameter guards: The actions that are guards of routes, as `Target.action`.
    init(_ target: ActionTarget, listing: TargetListing, lease: Lease, guards: Set<String> = []) {
        self.lease = lease
        self.listing = listing
        notFound = target.notFound
        var actions: [String: BoundAction] = [:]
        for name in target.actionNames {
            guard let action = target.action(name) else { continue }
            let path = "\(listing.name).\(name)"
            actions[name] = BoundAction(
                name: path, exposure: listing.exposure(of: name), isGuard: guards.contains(path), body: action.body
            )
        }
        self.actions = actions
    }
}

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
        throw .exposureDenied("\(name).\(action)", "actionExposure", exposure, to: origin)
    }
}

extension AtriumError {
    /// Returns the error for an action or an address that is not exposed to the caller.
    static func exposureDenied(
        _ subject: String, _ reason: String, _ exposure: Exposure, to origin: RequestOrigin
    ) -> Self {
        Self(
            .exposureDenied, subject, reason: reason,
            ["exposure": .text(exposure.rawValue), "caller": "\(origin)"])
    }
}

extension ErrorReason {
    /// The reason for a name that a bundle declares and that its code does not provide.
    static func declaredOnly(_ owner: String) -> ErrorReason { ErrorReason("declaredOnly", ["owner": .text(owner)]) }
}
