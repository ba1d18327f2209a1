public import PluginCore
internal import Synchronization

/// A mediator without bundles: it answers what the test told it to, and remembers who called what.
///
/// ```swift
/// let mediator = FakeMediator()
/// mediator.answer("place", on: "Orders") { _ in 1 }
/// ```
public final class FakeMediator: Mediating {
    /// One call, as the mediator got it.
    public struct Call: Sendable {
        /// The action that was asked for.
        public let action: String
        /// The target it was asked of.
        public let target: String
        /// What came along.
        public let parameters: ActionParameters

        /// `Target.action`, as manifests write it.
        public var name: String { "\(target).\(action)" }
    }

    private struct State {
        var answers: [String: [String: Action.Body]] = [:]
        var calls: [Call] = []
    }

    private let state = Mutex(State())

    /// A mediator that knows no target yet.
    public init() {}

    /// Makes `body` the answer to an action; it takes the place of an earlier one.
    public func answer(_ action: String, on target: String, with body: @escaping Action.Body) {
        state.withLock { $0.answers[target, default: [:]][action] = body }
    }

    /// Makes all actions of a target answer as the target itself does: another plugin's real one, for instance.
    public func answer(with target: ActionTarget) {
        for name in target.actionNames {
            guard let action = target.action(name) else { continue }
            answer(name, on: target.name, with: action.body)
        }
    }

    /// Every call so far, refused ones included, in order.
    public var calls: [Call] {
        state.withLock { $0.calls }
    }

    /// Records the call and answers it.
    ///
    /// - Throws: ``AtriumError`` with code `targetUnknown` or `actionUnknown`, and whatever the answer throws.
    @discardableResult
    public func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        let body = try state.withLock { state throws(AtriumError) in
            state.calls.append(Call(action: action, target: target, parameters: parameters))
            guard let actions = state.answers[target] else {
                throw AtriumError(.targetUnknown, target, nearest: state.answers.keys.sorted())
            }
            guard let body = actions[action] else {
                throw AtriumError(.actionUnknown, "\(target).\(action)", nearest: actions.keys.sorted())
            }
            return body
        }
        return try await body(parameters)
    }

    /// Performs the action that an address names, as the mediator would: `app://Target/action?x=y`.
    ///
    /// - Throws: as ``perform(_:on:_:)``, and `uriMalformed` for an address of another form.
    @discardableResult
    public func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        guard uri.hasAuthority, uri.segments.count == 2 else { throw AtriumError(.uriMalformed, uri.text) }
        let query = Dictionary(uri.parameters.items.map { ($0.name, $0.value) }) { first, _ in first }
        return try await perform(uri.segments[1], on: uri.segments[0], ActionParameters(query).merging(parameters))
    }

    /// Nothing: there is no target to let go of.
    public func releaseTarget(named name: String) {}
}
