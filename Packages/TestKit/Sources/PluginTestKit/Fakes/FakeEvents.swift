public import PluginCore
internal import Synchronization

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
