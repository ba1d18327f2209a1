internal import Synchronization

/// The observers of all events in the order of delivery, each under the lease of its bundle.
struct ObserverTable: Sendable {
    private var observers: [Observer] = []

    /// Returns the observers of an event.
    func hearing(_ event: String) -> [Observer] { observers.filter { $0.event == event } }

    /// Adds an observer after those of the same priority.
    mutating func insert(_ observer: Observer) {
        let place = observers.firstIndex { $0.priority < observer.priority } ?? observers.endIndex
        observers.insert(observer, at: place)
    }

    /// Removes an observer.
    mutating func remove(_ observer: Observer) { observers.removeAll { $0 === observer } }

    /// Removes the observers of a lease.
    mutating func removeAll(under lease: Lease) { observers.removeAll { $0.lease == lease } }
}

/// A registered observer of an event.
final class Observer: Sendable {
    typealias Body = @Sendable (any Sendable) async throws -> Void

    let event: String
    let priority: Int
    let lease: Lease
    private let body: Body
    private let isCanceled = Atomic<Bool>(false)

    init(_ event: String, priority: Int, lease: Lease, _ body: @escaping Body) {
        self.event = event
        self.priority = priority
        self.lease = lease
        self.body = body
    }

    /// Stops delivery to this observer, even of an event that is being delivered.
    func cancel() {
        isCanceled.store(true, ordering: .releasing)
    }

    /// Delivers an event, unless the observer was canceled or its bundle was unloaded.
    func hear(_ payload: any Sendable, within deadline: Deadline) async throws {
        guard !isCanceled.load(ordering: .acquiring), lease.begin() else { return }
        defer { lease.end() }
        try await deadline.run(event, of: lease.owner) { [lease, body] in
            try await lease.invoking(.event) { try await body(payload) }
        }
    }
}
