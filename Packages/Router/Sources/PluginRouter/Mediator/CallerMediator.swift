import PluginCore

/// Who calls, and by which right. Made by the host, and held where plugin code cannot reach it.
final class Caller: Sendable {
    let origin: RequestOrigin
    /// The calling bundle's lease; `nil` for callers that are no loaded bundle.
    let lease: Lease?
    /// A Boolean value that indicates whether what is for plugins is for this caller.
    let isInside: Bool

    static let host = Caller(origin: .host, lease: nil)

    init(origin: RequestOrigin, lease: Lease?) {
        self.origin = origin
        self.lease = lease
        isInside = Exposure.plugins.admits(origin, owner: "")
    }

    /// Returns whether it may call what has an exposure; all but what is internal is decided without a look at the owner.
    func mayCall(_ exposure: Exposure, of owner: String) -> Bool {
        switch exposure {
        case .external: true
        case .plugins: isInside
        case .internal: exposure.admits(origin, owner: owner)
        }
    }
}

/// The mediator as one caller sees it.
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
    /// Nothing: behind it stands the host's mediator.
    var customMirror: Mirror { Mirror(self, children: []) }
}
