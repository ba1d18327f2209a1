import PluginCore

/// The caller of an action. The host creates it, and plugin code has no access to it.
final class Caller: Sendable {
    let origin: RequestOrigin
    /// The lease of the calling bundle, or nil for callers that are not loaded bundles.
    let lease: Lease?
    /// A Boolean value that indicates whether the caller may call actions with the exposure of plugins.
    let isInside: Bool
    /// A Boolean value that indicates whether the caller is an extension, or a link from outside the app.
    let isOutside: Bool

    static let host = Caller(origin: .host, lease: nil)

    init(origin: RequestOrigin, lease: Lease?) {
        self.origin = origin
        self.lease = lease
        isInside = Exposure.plugins.admits(origin, owner: "")
        isOutside = origin.isOutside
    }

    /// Returns whether the caller may call an action with an exposure. Only internal actions require looking at the owner.
    func mayCall(_ exposure: Exposure, of owner: String) -> Bool {
        switch exposure {
        case .external: true
        case .plugins: isInside
        case .internal: exposure.admits(origin, owner: owner)
        }
    }
}

/// The mediator for one caller.
final class CallerMediator: Mediating {
    private let mediator: Mediator
    private let caller: Caller

    init(mediator: Mediator, caller: Caller) {
        self.mediator = mediator
        self.caller = caller
    }

    @inline(__always)
    func perform(_ action: String, on target: String, _ parameters: ActionParameters) async throws -> any Sendable {
        try await mediator.perform(action, on: target, parameters, for: caller)
    }

    func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        try await mediator.perform(uri, parameters, for: caller)
    }

    func releaseTarget(named name: String) {
        mediator.releaseTarget(named: name)
    }
}

extension CallerMediator: CustomReflectable {
    /// An empty mirror, because it would expose the host's mediator.
    var customMirror: Mirror { Mirror(self, children: []) }
}
