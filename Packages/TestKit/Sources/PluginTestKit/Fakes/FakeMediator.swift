public import PluginCore
import Synchronization

/// A fake mediator without bundles. It records calls and returns the results that the test defines.
///
/// ```swift
/// let mediator = FakeMediator()
/// mediator.answer("place", on: "Orders") { _ in 1 }
/// ```
public final class FakeMediator: Mediating {
    /// A recorded call.
    public struct Call: Sendable {
        /// The name of the action.
        public let action: String
        /// The name of the target.
        public let target: String
        /// The parameters.
        public let parameters: ActionParameters

        /// The target and the action, as manifests write it.
        public var name: String { "\(target).\(action)" }
    }

    private struct State {
        var answers: [String: [String: Action.Body]] = [:]
        var calls: [Call] = []
    }

    private let state = Mutex(State())

    /// Creates a mediator without targets.
    public init() {}

    /// Defines the result of an action and replaces an earlier definition.
    public func answer(_ action: String, on target: String, with body: @escaping Action.Body) {
        state.withLock { $0.answers[target, default: [:]][action] = body }
    }

    /// Defines the result of a contract's action, with the contract's own types, and replaces an earlier definition.
    public func answer<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>, with body: @escaping @Sendable (Input) async throws -> Output
    ) {
        answer(contract.name, on: contract.target, with: Action(contract, body).body)
    }

    /// Defines all actions of a target by the target's own closures, for example those of another plugin.
    public func answer(with target: ActionTarget) {
        for name in target.actionNames {
            guard let action = target.action(name) else { continue }
            answer(name, on: target.name, with: action.body)
        }
    }

    /// All calls so far in order, including rejected ones.
    public var calls: [Call] {
        state.withLock { $0.calls }
    }

    /// Records the call and returns its defined result.
    ///
    /// - Throws: ``AtriumError`` with code `targetUnknown` or `actionUnknown`, and the errors of the defined closure.
    @discardableResult
    public func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable {
        let body = try state.withLock { state throws(AtriumError) in
            state.calls.append(Call(action: action, target: target, parameters: parameters))
            guard let actions = state.answers[target] else {
                throw AtriumError(
                    .targetUnknown, target, reason: .verbatim("define its answers in the test with mediator.answer"),
                    nearest: state.answers.keys.sorted())
            }
            guard let body = actions[action] else {
                throw AtriumError(.actionUnknown, "\(target).\(action)", nearest: actions.keys.sorted())
            }
            return body
        }
        return try await body(parameters)
    }

    /// Performs the action of an address, such as app://Target/action?x=y, as the real mediator does.
    ///
    /// - Throws: The errors of ``perform(_:on:_:)``, and `uriMalformed` for an address of another form.
    @discardableResult
    public func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable {
        guard uri.hasAuthority, uri.segments.count == 2 else { throw AtriumError(.uriMalformed, uri.text) }
        let query = Dictionary(uri.parameters.items.map { ($0.name, $0.value) }) { first, _ in first }
        return try await perform(uri.segments[1], on: uri.segments[0], ActionParameters(query).merging(parameters))
    }

    /// Does nothing, because there is no cache.
    public func releaseTarget(named name: String) {}
}

/// A fake service registry with only the services of one plugin and of the test.
public final class FakeServices: ServiceRegistry {
    private typealias Make = @Sendable () async throws -> any Sendable

    private let services = Mutex<[String: (policy: ServicePolicy, make: Make)]>([:])

    /// Creates a registry without services.
    public init() {}

    /// The policies of all services, by name.
    public var policies: [String: ServicePolicy] {
        services.withLock { $0.mapValues(\.policy) }
    }

    /// Records the service.
    ///
    /// - Throws: ``AtriumError`` with code `serviceConflict` for a name that already exists.
    public func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) throws {
        try services.withLock { services throws(AtriumError) in
            guard services[name] == nil else { throw AtriumError(.serviceConflict, name) }
            services[name] = (policy, make)
        }
    }

    /// Returns a new instance, whatever the policy.
    ///
    /// - Throws: ``AtriumError`` with code `serviceUnknown`, and the errors of creating the instance.
    public func service(named name: String) async throws -> any Sendable {
        guard let make = services.withLock({ $0[name]?.make }) else {
            throw AtriumError(.serviceUnknown, name, nearest: policies.keys.sorted())
        }
        return try await make()
    }
}

/// A fake event bus that records posted events and delivers them to the observers of the same test.
public final class FakeEvents: EventBus {
    private struct Observer {
        let number: Int
        let name: String
        let priority: Int
        let body: @Sendable (any Sendable) async throws -> Void
    }

    private struct State {
        var posted: [(name: String, payload: any Sendable)] = []
        var observers: [Observer] = []
        var failures: [any Error] = []
        var last = 0
    }

    private let state = Mutex(State())

    /// Creates a bus without events.
    public init() {}

    /// The posted events so far, in order.
    public var posted: [(name: String, payload: any Sendable)] { state.withLock { $0.posted } }

    /// The errors of observers so far.
    public var failures: [any Error] { state.withLock { $0.failures } }

    /// Records the event and calls its observers, those with a higher priority first.
    public func post(_ name: String, _ payload: any Sendable) async {
        let observers = state.withLock { state in
            state.posted.append((name, payload))
            return state.observers.filter { $0.name == name }
        }
        for observer in observers.sorted(by: { ($1.priority, $0.number) < ($0.priority, $1.number) }) {
            do {
                try await observer.body(payload)
            } catch {
                state.withLock { $0.failures.append(error) }
            }
        }
    }

    /// Adds an observer.
    public func observe(
        _ name: String, priority: Int, _ observer: @escaping @Sendable (any Sendable) async throws -> Void
    ) -> EventObservation {
        let number = state.withLock { state in
            state.last += 1
            state.observers.append(Observer(number: state.last, name: name, priority: priority, body: observer))
            return state.last
        }
        return EventObservation { [self] in state.withLock { $0.observers.removeAll { $0.number == number } } }
    }
}
