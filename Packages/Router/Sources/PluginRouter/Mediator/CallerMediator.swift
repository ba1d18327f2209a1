import PluginCore

/// Who calls, and by which right. Made by the host, and held where plugin code can not reach it.
struct Caller: Sendable {
    let origin: RequestOrigin
    /// The calling bundle's lease; `nil` for callers that are no loaded bundle.
    let lease: Lease?

    static let host = Caller(origin: .host, lease: nil)
}

/// The mediator as one caller sees it.
final class CallerMediator: Mediating {
    private let mediator: Mediator
    private let caller: Caller

    init(mediator: Mediator, caller: Caller) {
        self.mediator = mediator
        self.caller = caller
    }

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
